import type { Cycle } from '../framework/plugin.js';
import { ScoreError } from '../framework/score-error.js';
import { scoreRange } from '../framework/score-range.js';
import type { NodeInfo } from '../state/node-info.js';
import type { CompiledProfile, WeightedScore } from './profile.js';

const MAX_NODE_SCORE = 100;

/** A score plugin that has something to say about this pod, with what it worked out in advance. */
export interface ActiveScore extends WeightedScore {
  readonly state: unknown;
}

export function prepareScores(cycle: Cycle, { scores }: CompiledProfile): readonly ActiveScore[] {
  const active: ActiveScore[] = [];
  for (const { plugin, weight } of scores) {
    const outcome = plugin.preScore?.(cycle) ?? { kind: 'continue', state: undefined };
    if (outcome.kind === 'continue') active.push({ plugin, weight, state: outcome.state });
  }
  return active;
}

/**
 * Weighted, normalised scores of all nodes for one plugin, in order.
 *
 * @throws ScoreError when a score is outside of 0..100, or the plugin can't score.
 */
export function scoreNodes(cycle: Cycle, active: ActiveScore, nodes: readonly NodeInfo[]): readonly number[] {
  const { plugin, weight, state } = active;
  const raw = nodes.map((node) => plugin.score(cycle, node, state));
  const range = scoreRange(raw);
  return raw.map((value) => {
    const score = plugin.normalize === undefined ? value : plugin.normalize(value, range);
    checkRange(plugin.name, score);
    return score * weight;
  });
}

export function checkRange(plugin: string, score: number): void {
  if (score >= 0 && score <= MAX_NODE_SCORE) return;
  throw new ScoreError(
    plugin,
    `returns an invalid score ${score}, it should in the range of [0, ${MAX_NODE_SCORE}] after normalizing`,
  );
}
