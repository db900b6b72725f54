/** As PromQL writes a text. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** The devices that were named; without a name all but those that carry what others carry too. */
export function deviceMatcher(devices: string | undefined, notPhysical: string): string {
  return devices === undefined ? `device!~${quoted(notPhysical)}` : `device=~${quoted(devices)}`;
}

/**
 * The rate of counters, summed over devices, for nodes that are scraped now. `rate` divides by the whole range also
 * where a series began within it, so that a machine just added would look idle: the share of the range for which its
 * clock was seen puts that right. Where there is no clock the rate stands as it is.
 */
export function summedRate(counters: readonly string[], range: string): string {
  const rates = counters.map((counter) => `rate(${counter}[${range}])`).join(' + ');
  const live = `count without (device) (${counters[0]})`;
  const sum = `(sum without (device) (${rates}) and ${live})`;
  return `${sum} / clamp_max(rate(node_time_seconds[${range}]) > 0, 1) or ${sum}`;
}
