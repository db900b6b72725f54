/** A time that is stated and not asserted: how long something took since then. */
export function tell(what: string, sinceMs: number): void {
  process.stderr.write(`      ${what}: ${((performance.now() - sinceMs) / 1000).toFixed(1)} s\n`);
}
