/**
 * Orders two resource versions: negative when `a` is older. They are decimal numbers of any length; an empty one is
 * older than all.
 */
export function compareResourceVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
