import type { Cycle, Rejection } from '../framework/plugin.js';
import type { Decision } from './decision.js';
import type { CompiledProfile } from './profile.js';

/** What Reserve and Permit plugins make of a placement; any other decision stands. */
export function lastWord(cycle: Cycle, profile: CompiledProfile, decision: Decision): Decision {
  if (decision.kind !== 'placed') return decision;
  const rejection = objection(cycle, profile, decision.node);
  if (rejection === undefined) return decision;
  const { plugin, reasons } = rejection;
  return { kind: 'unschedulable', message: reasons.join(', '), rejectedBy: new Set([plugin]) };
}

function objection(
  cycle: Cycle,
  { reserves, permits }: CompiledProfile,
  nodeName: string,
): Rejection | undefined {
  if (reserves.length === 0 && permits.length === 0) return undefined;
  const node = cycle.snapshot.node(nodeName);
  if (node === undefined) return undefined;
  for (const plugin of reserves) {
    const rejection = plugin.reserve(cycle, node);
    if (rejection !== undefined) return rejection;
  }
  for (const plugin of permits) {
    const rejection = plugin.permit(cycle, node);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}
