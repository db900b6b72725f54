import type { Rejection } from '../framework/plugin.js';

/** Why no node would do, in kube-scheduler's words; preemption is not tried, so its suffix is left out. */
export function failureMessage(nodeCount: number, rejections: Iterable<Rejection>): string {
  const counts = new Map<string, number>();
  for (const { reasons } of rejections) {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort(byBytes);
  return `0/${nodeCount} nodes are available${parts.length === 0 ? '' : `: ${parts.join(', ')}`}.`;
}

/** The same when the pod as a whole was refused: nodes were not looked at. */
export function preFilterMessage(nodeCount: number, { reasons }: Rejection): string {
  return `0/${nodeCount} nodes are available: ${reasons.join(', ')}.`;
}

export const NO_NODES_MESSAGE = 'no nodes available to schedule pods';

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
