/**
 * Instants at which pods may arrive: ten seconds apart, at second 5, 15, 25 …
 *
 * The load-watcher refreshes on whole minutes and the scheduler reads it a second after each half minute; arrivals
 * keep clear of both, so that no outcome depends on which of two services answers first.
 */
const SLOT_MS = 10_000;
const FIRST_SLOT_MS = 65_000;

/** The slot at or after an offset. The first minute is left to the services to come up. */
export function arrivalSlotMs(offsetMs: number): number {
  return FIRST_SLOT_MS + Math.ceil(Math.max(0, offsetMs - FIRST_SLOT_MS) / SLOT_MS) * SLOT_MS;
}
