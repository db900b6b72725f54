import type { Taint, Toleration } from '@catamaran/model';
import { isTolerated } from '../../selectors/toleration.js';

/** Tolerations that can speak for a `PreferNoSchedule` taint. */
export function softTolerations(tolerations: readonly Toleration[]): readonly Toleration[] {
  return tolerations.filter(({ effect }) => !effect || effect === 'PreferNoSchedule');
}

/** How many `PreferNoSchedule` taints are not tolerated: the fewer the better. */
export function intolerableSoftTaints(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  let count = 0;
  for (const taint of taints) {
    if (taint.effect === 'PreferNoSchedule' && !isTolerated(taint, tolerations)) count += 1;
  }
  return count;
}
