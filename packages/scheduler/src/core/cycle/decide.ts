import type { Cycle } from '../framework/plugin.js';
import type { Decision } from './decision.js';
import { evaluate } from './evaluate.js';
import type { CompiledProfile } from './profile.js';

/**
 * One scheduling attempt. The outcome is that of `evaluate`; what earlier attempts found out about unchanged nodes is
 * used again.
 *
 * @param tieSeed with the pod's uid it picks one of several equally good nodes.
 */
export function decide(cycle: Cycle, profile: CompiledProfile, tieSeed: number): Decision {
  return evaluate(cycle, profile, tieSeed).decision;
}
