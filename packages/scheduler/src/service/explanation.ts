import type { Decision, Evaluation, NodeScore } from '../core/cycle/decision.js';
import { evaluate } from '../core/cycle/evaluate.js';
import type { CompiledProfile } from '../core/cycle/profile.js';
import { prepareScores } from '../core/cycle/score-run.js';
import type { Cycle } from '../core/framework/plugin.js';
import type { PodInfo } from '../core/state/pod-info.js';
import type { Snapshot } from '../core/state/snapshot.js';
import { activeFilters, type FilterGap, gapsOf, withInputs } from './explained-inputs.js';

/** One node in an explanation. */
export interface ExplainedNode {
  readonly name: string;
  /** The filter that refused it, and in what words. */
  readonly rejectedBy?: string;
  readonly reason?: string;
  /** Score times weight by plugin; empty for a refused node, and where a single node was left and scoring skipped. */
  readonly scores: Readonly<Record<string, number>>;
  readonly total: number;
  /** What a plugin's score or refusal was worked out from, by plugin; of some filters also why a node passed. */
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A decision as people read it; the body of `/debug/decisions` is a list of these. */
export interface Explanation {
  /** `namespace/name`. */
  readonly pod: string;
  readonly uid: string;
  /** RFC 3339. */
  readonly time: string;
  readonly profile: string;
  readonly snapshotVersion: number;
  readonly outcome: Decision['kind'];
  readonly chosen: string | null;
  /** Why the pod was not placed. */
  readonly message?: string;
  /** Age of the load figures at that time. */
  readonly loadAgeSeconds?: number;
  /** What filters could not check on nodes that passed them. */
  readonly gaps?: readonly FilterGap[];
  /** The best node that was not taken, and by which plugins it lost. */
  readonly runnerUp?: RunnerUp;
  /** Best first, then the refused ones. */
  readonly nodes: readonly ExplainedNode[];
  /** Nodes that are left out of `nodes`. */
  readonly omittedNodes: number;
  /** Why `nodes` is empty, where they are no longer known. */
  readonly note?: string;
}

export interface RunnerUp {
  readonly name: string;
  readonly total: number;
  /** Score of the chosen node minus that of this one, by plugin, where they differ. */
  readonly lostBy: Readonly<Record<string, number>>;
  readonly tied: boolean;
}

/** What an explanation is worked out from. */
export interface Explainable {
  readonly pod: PodInfo;
  readonly profile: CompiledProfile;
  readonly timeMs: number;
  readonly snapshot: Snapshot;
  readonly loadSource: string | undefined;
}

export function explain(
  { pod, profile, timeMs, snapshot, loadSource }: Explainable,
  { tieSeed, maxNodes }: { readonly tieSeed: number; readonly maxNodes: number },
): Explanation {
  const cycle: Cycle = { pod, snapshot };
  const evaluation = evaluate(cycle, profile, tieSeed);
  const { decision } = evaluation;
  const chosen = decision.kind === 'placed' ? decision.node : null;
  const all = [...feasibleNodes(evaluation, chosen), ...rejectedNodes(evaluation)];
  const active = decision.kind === 'error' ? [] : prepareScores(cycle, profile);
  const filters = decision.kind === 'error' ? [] : activeFilters(cycle, profile);
  const nodes = all.slice(0, maxNodes).map((node) => withInputs(node, cycle, { active, filters }));
  const load = loadSource === undefined ? undefined : snapshot.load(loadSource);
  const gaps = gapsOf(evaluation.feasible, cycle, filters);
  const runnerUp = chosen === null ? undefined : runnerUpOf(evaluation.scores, chosen);
  return {
    pod: pod.key,
    uid: pod.uid,
    time: new Date(timeMs).toISOString(),
    profile: profile.schedulerName,
    snapshotVersion: snapshot.version,
    outcome: decision.kind,
    chosen,
    ...(decision.kind === 'placed' ? {} : { message: decision.message }),
    ...(load === undefined ? {} : { loadAgeSeconds: snapshot.nowMs / 1000 - load.endUnixSeconds }),
    ...(gaps.length === 0 ? {} : { gaps }),
    ...(runnerUp === undefined ? {} : { runnerUp }),
    nodes,
    omittedNodes: all.length - nodes.length,
  };
}

function feasibleNodes({ feasible, scores }: Evaluation, chosen: string | null): readonly ExplainedNode[] {
  const byNode = new Map(scores.map((score) => [score.node, score]));
  return feasible
    .map((name) => {
      const score = byNode.get(name);
      return { name, scores: score?.byPlugin ?? {}, total: score?.total ?? 0 };
    })
    .sort(
      (a, b) =>
        b.total - a.total ||
        Number(b.name === chosen) - Number(a.name === chosen) ||
        (a.name < b.name ? -1 : 1),
    );
}

function rejectedNodes({ rejected }: Evaluation): readonly ExplainedNode[] {
  return rejected.map(({ node, rejection }) => ({
    name: node,
    rejectedBy: rejection.plugin,
    reason: rejection.reasons.join(', '),
    scores: {},
    total: 0,
  }));
}

function runnerUpOf(scores: readonly NodeScore[], chosen: string): RunnerUp | undefined {
  const winner = scores.find(({ node }) => node === chosen);
  let second: NodeScore | undefined;
  for (const score of scores) {
    if (score.node !== chosen && (second === undefined || score.total > second.total)) {
      second = score;
    }
  }
  if (winner === undefined || second === undefined) {
    return undefined;
  }
  const lostBy: Record<string, number> = {};
  for (const [plugin, score] of Object.entries(winner.byPlugin)) {
    const difference = score - (second.byPlugin[plugin] ?? 0);
    if (difference !== 0) {
      lostBy[plugin] = difference;
    }
  }
  return { name: second.node, total: second.total, lostBy, tied: second.total === winner.total };
}
