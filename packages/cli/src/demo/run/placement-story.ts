import {
  type CompiledProfile,
  type Cycle,
  type DecisionRecord,
  evaluate,
  type NodeScore,
} from '@catamaran/scheduler';
import type { Placement } from './demo-state.js';

const PACKING = 'TargetLoadPacking';

/** Where a pod went and why, worked out again from the cluster as it was; undefined when it went nowhere. */
export function placementStory(record: DecisionRecord, tieSeed: number): Placement | undefined {
  const { decision, snapshot, pod, profile } = record;
  if (decision.kind !== 'placed' || snapshot === undefined) return undefined;
  const cycle: Cycle = { pod, snapshot };
  const { scores } = evaluate(cycle, profile, tieSeed);
  const common = commonScore(scores);
  const second = scores
    .filter(({ node }) => node !== decision.node)
    .reduce<NodeScore | undefined>(
      (best, score) => (best === undefined || score.total > best.total ? score : best),
      undefined,
    );
  return {
    node: decision.node,
    score: decision.total - common,
    predictedPercent: predictedPercent(cycle, profile, decision.node),
    secondBest: second === undefined ? undefined : { node: second.node, score: second.total - common },
  };
}

/** What plugins that don't tell the nodes apart have added to every total. */
function commonScore(scores: readonly NodeScore[]): number {
  const [first] = scores;
  return Object.entries(first?.byPlugin ?? {})
    .filter(([plugin, score]) => scores.every(({ byPlugin }) => byPlugin[plugin] === score))
    .reduce((sum, [, score]) => sum + score, 0);
}

/** What TargetLoadPacking expects the node to use with the pod on it. */
function predictedPercent(cycle: Cycle, profile: CompiledProfile, nodeName: string): number | undefined {
  const plugin = profile.scores.find((score) => score.plugin.name === PACKING)?.plugin;
  const node = cycle.snapshot.node(nodeName);
  const prepared = plugin?.preScore?.(cycle);
  if (plugin === undefined || node === undefined || prepared?.kind !== 'continue') return undefined;
  const percent = plugin.explain?.(cycle, node, prepared.state)?.expectedPercent;
  return typeof percent === 'number' ? percent : undefined;
}
