/** Milliseconds that only ever grow, to the microsecond, from an arbitrary start: for measuring how long work takes. */
export function stopwatchMs(): number {
  return performance.now();
}
