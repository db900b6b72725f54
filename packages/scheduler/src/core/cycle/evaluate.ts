import type { Cycle } from '../framework/plugin.js';
import { ScoreError } from '../framework/score-error.js';
import { allRejected, type Filtered, filterNodes } from './attempt.js';
import type { Decision, Evaluation, NodeScore, RejectedNode } from './decision.js';
import { failureMessage, NO_NODES_MESSAGE, preFilterMessage } from './failure-message.js';
import { prepareFilters } from './filter-run.js';
import { lastWord } from './last-word.js';
import type { CompiledProfile } from './profile.js';
import { damagedField, refusalMessage, refusedFeature } from './refused-feature.js';
import { scoreAll } from './score-all.js';
import { tieIndex } from './tie-choice.js';

const NOTHING: Omit<Evaluation, 'decision'> = {
  feasible: [],
  scores: [],
  best: [],
  rejected: [],
  preFilterRejection: undefined,
};

/**
 * One attempt from scratch, with everything there is to tell about it. Cost: all nodes times all plugins.
 *
 * @param tieSeed with the pod's uid it picks one of several equally good nodes.
 */
export function evaluate(cycle: Cycle, profile: CompiledProfile, tieSeed: number): Evaluation {
  const refused = refusal(cycle, profile);
  if (refused !== undefined) return { ...NOTHING, decision: refused };
  const { nodeCount } = cycle.snapshot;
  if (nodeCount === 0) {
    return { ...NOTHING, decision: unschedulable(NO_NODES_MESSAGE, []) };
  }
  const prepared = prepareFilters(cycle, profile);
  if (prepared.kind === 'rejected') {
    const { rejection } = prepared;
    const decision = unschedulable(preFilterMessage(nodeCount, rejection), [rejection.plugin]);
    return { ...NOTHING, rejected: allRejected(cycle, rejection), preFilterRejection: rejection, decision };
  }
  const filtered = filterNodes(cycle, prepared.run, { profile, tieSeed });
  if (filtered.feasible.length === 0) {
    return { ...NOTHING, rejected: filtered.rejected, decision: nowhere(cycle, profile, filtered.rejected) };
  }
  return scored(cycle, filtered, { profile, tieSeed });
}

/** The answer for a pod that uses something we can't honour; undefined when there is nothing of the kind. */
export function refusal({ pod }: Cycle, profile: CompiledProfile): Decision | undefined {
  const feature = damagedField(pod) ?? refusedFeature(pod.pod, profile);
  if (feature === undefined) return undefined;
  return { kind: 'error', message: refusalMessage(feature), refusedFeature: feature };
}

function nowhere(cycle: Cycle, profile: CompiledProfile, rejected: readonly RejectedNode[]): Decision {
  const rejections = rejected.map(({ rejection }) => rejection);
  const message = failureMessage(cycle.snapshot.nodeCount, rejections);
  const added = postFilterText(cycle, profile, rejected);
  return unschedulable(
    added === undefined ? message : `${message} ${added}`,
    rejections.map(({ plugin }) => plugin),
  );
}

function postFilterText(
  cycle: Cycle,
  { postFilters }: CompiledProfile,
  rejected: readonly RejectedNode[],
): string | undefined {
  for (const plugin of postFilters) {
    const text = plugin.postFilter(cycle, rejected);
    if (text !== undefined) return text;
  }
  return undefined;
}

function unschedulable(message: string, plugins: readonly string[]): Decision {
  return { kind: 'unschedulable', message, rejectedBy: new Set(plugins.filter((name) => name !== '')) };
}

function scored(
  cycle: Cycle,
  { feasible, rejected, evaluatedCount }: Filtered,
  { profile, tieSeed }: { readonly profile: CompiledProfile; readonly tieSeed: number },
): Evaluation {
  const names = feasible.map(({ name }) => name);
  const counts = { feasibleCount: feasible.length, evaluatedCount };
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    const placed: Decision = { kind: 'placed', node: only, ...counts, total: 0, tiedCount: 1 };
    const decision = lastWord(cycle, profile, placed);
    return { ...NOTHING, feasible: names, best: names, rejected, decision };
  }
  let scores: readonly NodeScore[];
  try {
    scores = scoreAll(cycle, profile, feasible);
  } catch (error) {
    if (!(error instanceof ScoreError)) throw error;
    const decision: Decision = { kind: 'error', message: error.message, refusedFeature: undefined };
    return { ...NOTHING, feasible: names, rejected, decision };
  }
  const total = scores.reduce((most, score) => Math.max(most, score.total), 0);
  const best = scores.filter((score) => score.total === total).map(({ node }) => node);
  const node = best[tieIndex(cycle.pod.uid, tieSeed, best.length)] ?? '';
  const placed: Decision = { kind: 'placed', node, ...counts, total, tiedCount: best.length };
  const decision = lastWord(cycle, profile, placed);
  return { feasible: names, scores, best, rejected, preFilterRejection: undefined, decision };
}
