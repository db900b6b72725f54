import type { Cycle } from '../framework/plugin.js';
import type { NodeInfo } from '../state/node-info.js';
import type { NodeScore } from './decision.js';
import type { CompiledProfile } from './profile.js';
import { prepareScores, scoreNodes } from './score-run.js';

/**
 * Scores of the given nodes, normalised among them and weighted, whatever the filters say. Without score plugins every
 * node has a total of 1.
 *
 * @throws ScoreError when a score is outside of 0..100, or a plugin can't score.
 */
export function scoreAll(
  cycle: Cycle,
  profile: CompiledProfile,
  nodes: readonly NodeInfo[],
): readonly NodeScore[] {
  const columns = prepareScores(cycle, profile).map((active) => ({
    name: active.plugin.name,
    scores: scoreNodes(cycle, active, nodes),
  }));
  return nodes.map(({ name }, index) => {
    const byPlugin: Record<string, number> = {};
    let total = profile.scores.length === 0 ? 1 : 0;
    for (const { name: plugin, scores } of columns) {
      const score = scores[index] ?? 0;
      byPlugin[plugin] = score;
      total += score;
    }
    return { node: name, byPlugin, total };
  });
}
