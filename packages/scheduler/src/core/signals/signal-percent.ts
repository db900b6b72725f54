import { percentShare } from '../numerics/percent-share.js';
import type { SignalView } from '../state/snapshot.js';
import type { SignalArgs } from './signal-args.js';

/** A value in percent. Relative ones are of the largest of any node; all are 0 where that is 0. */
export function percentOf(value: number, unit: SignalArgs['unit'], view: SignalView | undefined): number {
  if (unit !== 'relative') return value;
  const largest = view?.largest ?? 0;
  return largest > 0 ? percentShare(value, largest) : 0;
}
