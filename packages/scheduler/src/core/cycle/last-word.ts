import type { Cycle, Rejection } from '../framework/plugin.js';
import type { NodeInfo } from '../state/node-info.js';
import type { Decision } from './decision.js';
import type { CompiledProfile } from './profile.js';

/** What Reserve and Permit plugins make of a placement; any other decision stands. */
export function lastWord(cycle: Cycle, profile: CompiledProfile, decision: Decision): Decision {
  if (decision.kind !== 'placed') return decision;
  if (profile.reserves.length === 0 && profile.permits.length === 0) return decision;
  const node = cycle.snapshot.node(decision.node);
  if (node === undefined) return decision;
  const reservedOn = node.name;
  try {
    const rejection = objection(cycle, profile, node);
    if (rejection === undefined) return decision;
    const { plugin, reasons } = rejection;
    return {
      kind: 'unschedulable',
      message: reasons.join(', '),
      rejectedBy: new Set([plugin]),
      reservedOn,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'error', message, refusedFeature: undefined, reservedOn };
  }
}

function objection(
  cycle: Cycle,
  { reserves, permits }: CompiledProfile,
  node: NodeInfo,
): Rejection | undefined {
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
