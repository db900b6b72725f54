/**
 * Percent of capacity expected to be in use. The order of operations is Trimaran's, so that results agree to the last
 * bit.
 *
 * @param capacityCpuMilli above 0.
 */
export function expectedPercent(expectedCpuMilli: number, capacityCpuMilli: number): number {
  return (100 * expectedCpuMilli) / capacityCpuMilli;
}

export type PackingBranch = 'towards-target' | 'past-target' | 'above-capacity';

export function packingBranch(percent: number, targetPercent: number): PackingBranch {
  if (percent <= targetPercent) return 'towards-target';
  return percent <= 100 ? 'past-target' : 'above-capacity';
}

/**
 * Rises from the target's own value at 0 to 100 at the target, drops to about the target just above it and falls to 0
 * at full use; 0 beyond. Not rounded.
 */
export function packingCurve(percent: number, targetPercent: number): number {
  switch (packingBranch(percent, targetPercent)) {
    case 'towards-target':
      return ((100 - targetPercent) * percent) / targetPercent + targetPercent;
    case 'past-target':
      return (targetPercent * (100 - percent)) / (100 - targetPercent);
    case 'above-capacity':
      return 0;
  }
}

/** The same, whole; halves are rounded up. */
export function packingScore(percent: number, targetPercent: number): number {
  return Math.round(packingCurve(percent, targetPercent));
}
