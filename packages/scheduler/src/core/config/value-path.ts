/** The path of a field: `args.signals` and `name` make `args.signals.name`. */
export function fieldPath(path: string, name: string): string {
  return path === '' || name === '' ? path + name : `${path}.${name}`;
}

/** Whether one of the two values holds the other, or they are the same: `signals[0].unit` and `signals` are related. */
export function areRelated(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || outer === '' || (path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length)));
}
