import type { Cycle } from '../framework/plugin.js';
import type { Decision, Evaluation } from './decision.js';
import type { CompiledProfile } from './profile.js';

/**
 * One scheduling attempt.
 *
 * @param tieSeed with the pod's uid it picks one of several equally good nodes.
 */
export function decide(cycle: Cycle, profile: CompiledProfile, tieSeed: number): Decision {
  void [cycle, profile, tieSeed];
  return { kind: 'error', message: 'not written yet', refusedFeature: undefined };
}

export function evaluate(cycle: Cycle, profile: CompiledProfile, tieSeed: number): Evaluation {
  const decision = decide(cycle, profile, tieSeed);
  return { feasible: [], scores: [], best: [], rejected: [], preFilterRejection: undefined, decision };
}
