import type { SchedulerService } from '@catamaran/scheduler';
import type { Placement } from './demo-state.js';

type Explanation = ReturnType<SchedulerService['explainer']['recorded']>[number];

const PACKING = 'TargetLoadPacking';

/** An explained decision in short; undefined when the pod went nowhere or the details are no longer known. */
export function placementStory(explanation: Explanation | undefined): Placement | undefined {
  const chosen = explanation?.nodes.find(({ name }) => name === explanation.chosen);
  if (explanation === undefined || chosen === undefined) return undefined;
  const common = commonScore(explanation);
  const { runnerUp } = explanation;
  const expected = chosen.inputs?.[PACKING]?.expectedPercent;
  return {
    node: chosen.name,
    score: chosen.total - common,
    predictedPercent: typeof expected === 'number' ? expected : undefined,
    secondBest: runnerUp === undefined ? undefined : { node: runnerUp.name, score: runnerUp.total - common },
  };
}

/** What plugins that don't tell the nodes apart have added to every total. */
function commonScore({ nodes }: Explanation): number {
  const feasible = nodes.filter(({ rejectedBy }) => rejectedBy === undefined);
  return Object.entries(feasible[0]?.scores ?? {})
    .filter(([plugin, score]) => feasible.every(({ scores }) => scores[plugin] === score))
    .reduce((sum, [, score]) => sum + score, 0);
}
