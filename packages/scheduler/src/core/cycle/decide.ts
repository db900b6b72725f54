import type { Cycle } from '../framework/plugin.js';
import { ScoreError } from '../framework/score-error.js';
import { promisedNode } from './attempt.js';
import { type Best, bestOf } from './best.js';
import { feasibleNodesToFind } from './candidates.js';
import { type ClassBuffers, ClassColumns, classBuffers } from './class-columns.js';
import type { Decision } from './decision.js';
import { evaluate, refusal } from './evaluate.js';
import { type FilterRun, filterNode } from './filter-run.js';
import { lastWord } from './last-word.js';
import type { NodeColumns } from './node-columns.js';
import { inputsKey, type Prepared, prepare } from './prepared.js';
import type { CompiledProfile } from './profile.js';
import type { ActiveScore } from './score-run.js';
import { tieIndex } from './tie-choice.js';

/**
 * One scheduling attempt. The outcome is always that of `evaluate`; what earlier attempts found out about unchanged
 * nodes is used again.
 *
 * Cost: for a pod of a class seen before, what changed since times the logarithm of the number of nodes; for a new
 * class one pass over all nodes; for a pod that names one node, that node. Pods that were promised a node, and profiles
 * that sample nodes, are evaluated from scratch; so is a pod that no node will take, once until something changes.
 *
 * @param tieSeed with the pod's uid it picks one of several equally good nodes.
 */
export function decide(cycle: Cycle, profile: CompiledProfile, tieSeed: number): Decision {
  const refused = refusal(cycle, profile);
  if (refused !== undefined) return refused;
  const outcome = isOrdinary(cycle, profile) ? quickOutcome(cycle, profile) : undefined;
  if (outcome === undefined) return evaluate(cycle, profile, tieSeed).decision;
  if (outcome.feasibleCount === 0) return failure(cycle, profile, tieSeed);
  return lastWord(cycle, profile, placement(cycle, outcome, tieSeed));
}

/** What evaluating from scratch tells about a pod that no node will take; pods of its class hear the same at once. */
function failure(cycle: Cycle, profile: CompiledProfile, tieSeed: number): Decision {
  const kept = profile.cache.get(cycle.pod.classKey);
  if (kept?.failure !== undefined) return kept.failure;
  const { decision } = evaluate(cycle, profile, tieSeed);
  if (kept !== undefined) kept.failure = decision;
  return decision;
}

function isOrdinary(cycle: Cycle, profile: CompiledProfile): boolean {
  const { nodeCount } = cycle.snapshot;
  const all = feasibleNodesToFind(nodeCount, profile.percentageOfNodesToScore) >= nodeCount;
  return nodeCount > 0 && all && promisedNode(cycle) === undefined;
}

function placement(
  { pod, snapshot }: Cycle,
  { feasibleCount, best }: QuickOutcome,
  tieSeed: number,
): Decision {
  const slot = best.slot(tieIndex(pod.uid, tieSeed, best.count));
  const single = feasibleCount === 1;
  return {
    kind: 'placed',
    node: snapshot.nodeAt(slot).name,
    feasibleCount,
    evaluatedCount: snapshot.nodeCount,
    total: single ? 0 : best.total,
    tiedCount: best.count,
  };
}

/** When more nodes changed, a scan of all is cheaper: its digests serve every class. */
function followable(nodeCount: number): number {
  return Math.max(16, nodeCount / 4);
}

interface QuickOutcome {
  readonly feasibleCount: number;
  readonly best: Best;
}

/** Undefined where the long way must be taken. */
function quickOutcome(cycle: Cycle, profile: CompiledProfile): QuickOutcome | undefined {
  const { cache } = profile;
  const { classKey } = cycle.pod;
  const inputs = inputsKey(cycle, profile);
  try {
    return (
      followed(cycle, profile, inputs) ??
      (cache.comesBack(classKey) ? scanned(cycle, profile, inputs) : scannedOnce(cycle, profile))
    );
  } catch (error) {
    if (!(error instanceof ScoreError)) throw error;
    cache.drop(classKey);
    return undefined;
  }
}

/** A class whose columns only need to follow the nodes that changed. */
function followed(
  { pod, snapshot }: Cycle,
  { cache }: CompiledProfile,
  inputs: string,
): QuickOutcome | undefined {
  const kept = cache.get(pod.classKey);
  if (kept === undefined || kept.inputsKey !== inputs) return undefined;
  const changed = snapshot.changedSince(kept.version);
  if (changed === undefined || changed.length > followable(snapshot.nodeCount)) return undefined;
  if (changed.length > 0) kept.failure = undefined;
  kept.columns.follow({ pod, snapshot }, changed);
  kept.version = snapshot.version;
  return { feasibleCount: kept.columns.feasibleCount, best: kept.columns.best() };
}

/** A class that comes back: its columns are kept. */
function scanned(cycle: Cycle, profile: CompiledProfile, inputs: string): QuickOutcome | undefined {
  const prepared = prepare(cycle, profile);
  if (prepared?.filters.nodeNames !== undefined) return onlyNamed(cycle, prepared.filters);
  if (prepared === undefined) return undefined;
  const { nodeCount, version } = cycle.snapshot;
  const buffers = buffersFor(cycle, profile, rangedScores(prepared).length);
  fill(cycle, profile, { prepared, columns: buffers.columns });
  const kept = new ClassColumns(prepared, buffers, baseTotal(profile));
  profile.cache.put(
    cycle.pod.classKey,
    { columns: kept, inputsKey: inputs, version, failure: undefined },
    nodeCount,
  );
  return { feasibleCount: kept.feasibleCount, best: kept.best() };
}

function buffersFor({ pod, snapshot }: Cycle, { cache }: CompiledProfile, rawCount: number): ClassBuffers {
  const known = cache.get(pod.classKey)?.columns.buffers;
  // Dropped until they are whole again: a plugin may throw half-way.
  cache.drop(pod.classKey);
  const fitting =
    known?.columns.feasible.length === snapshot.nodeCount && known.columns.raws.length === rawCount;
  return known !== undefined && fitting ? known : classBuffers(snapshot.nodeCount, rawCount);
}

/** A class not seen before: nothing is kept of it. */
function scannedOnce(cycle: Cycle, profile: CompiledProfile): QuickOutcome | undefined {
  const prepared = prepare(cycle, profile);
  if (prepared?.filters.nodeNames !== undefined) return onlyNamed(cycle, prepared.filters);
  if (prepared === undefined) return undefined;
  const ranged = rangedScores(prepared);
  const columns = profile.cache.scratch(cycle.snapshot.nodeCount, ranged.length);
  const feasibleCount = fill(cycle, profile, { prepared, columns });
  return { feasibleCount, best: bestOf(columns, ranged) };
}

function fill(
  cycle: Cycle,
  profile: CompiledProfile,
  { prepared, columns }: { readonly prepared: Prepared; readonly columns: NodeColumns },
): number {
  const verdicts = profile.cache.verdicts(cycle.pod.placementKey);
  return profile.cache.filler.fill(cycle, prepared, { verdicts, columns, baseTotal: baseTotal(profile) });
}

function rangedScores({ scores }: Prepared): readonly ActiveScore[] {
  return scores.filter(({ plugin }) => plugin.normalize !== undefined);
}

/** The one named node that will do, as for a DaemonSet's pod; undefined when it is not just one. */
function onlyNamed(cycle: Cycle, filters: FilterRun): QuickOutcome | undefined {
  const { snapshot } = cycle;
  const slots = [...(filters.nodeNames ?? [])].flatMap((name) => snapshot.slotOf(name) ?? []);
  const good = slots.filter((slot) => filterNode(cycle, filters, snapshot.nodeAt(slot)) === undefined);
  const [only] = good;
  if (only === undefined || good.length > 1) return undefined;
  return { feasibleCount: 1, best: { total: 0, count: 1, slot: () => only } };
}

/** Without any score plugin every node is worth 1. */
function baseTotal({ scores }: CompiledProfile): number {
  return scores.length === 0 ? 1 : 0;
}
