import type { Pod } from '@catamaran/model';
import type { Clock } from '@catamaran/platform';
import type { CompiledProfile } from '../core/cycle/profile.js';
import type { ClusterState } from '../core/state/cluster-state.js';
import { type PodInfo, podInfo } from '../core/state/pod-info.js';
import type { Snapshot } from '../core/state/snapshot.js';
import { placedPod, SnapshotWithoutPod } from '../core/state/snapshot-without-pod.js';
import type { DecisionLog, DecisionRecord } from './decision-log.js';
import { type Explanation, explain } from './explanation.js';
import { schedulerNameOf } from './pending-pod.js';

export interface ExplainerDeps {
  readonly profiles: ReadonlyMap<string, CompiledProfile>;
  /** Load source by profile, where it has one. */
  readonly loadSources: ReadonlyMap<string, string>;
  readonly state: ClusterState;
  readonly log: DecisionLog;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly tieSeed: number;
}

export interface ExplainOptions {
  /** Nodes listed per decision, best first; 100. */
  readonly maxNodes?: number;
}

/** A pod, or whoever asks, names a profile that is not there; the message says which are. */
export class UnknownProfileError extends Error {
  override readonly name = 'UnknownProfileError';
}

/** What pods name that name nothing. */
const NO_SCHEDULER_NAMED = 'default-scheduler';

const DEFAULT_MAX_NODES = 100;

/** Explains decisions: those made, and those that would be made now. */
export class Explainer {
  readonly #deps: ExplainerDeps;

  constructor(deps: ExplainerDeps) {
    this.#deps = deps;
  }

  /**
   * What would happen to a pod of any kind now; nothing is bound. It is judged by the profile that is given, else by
   * that which it names, else, where it names no scheduler, by the first.
   * A pod that is on a node already is judged as if it were not there yet: it counts nowhere, and may go anywhere.
   * @throws UnknownProfileError; TypeError when the object can't be read as a pod.
   */
  hypothetical(
    pod: Pod,
    { maxNodes = DEFAULT_MAX_NODES, profile: given }: ExplainOptions & { readonly profile?: string } = {},
  ): Explanation {
    const { clock, tieSeed } = this.#deps;
    const { info, snapshot } = this.#asked(podInfo(pod), clock.nowMs());
    const profile = this.#profileOf(info.pod, given);
    const loadSource = this.#deps.loadSources.get(profile.schedulerName);
    const subject = { pod: info, profile, timeMs: snapshot.nowMs, snapshot, loadSource };
    return { ...explain(subject, { tieSeed, maxNodes }), ...gateMessage(info.pod) };
  }

  #profileOf(pod: Pod, given: string | undefined): CompiledProfile {
    const { profiles } = this.#deps;
    const name = given ?? schedulerNameOf(pod);
    const first = profiles.values().next().value;
    const profile =
      profiles.get(name) ?? (given === undefined && name === NO_SCHEDULER_NAMED ? first : undefined);
    if (profile !== undefined) return profile;
    const known = [...profiles.keys()].join(', ');
    throw new UnknownProfileError(
      given === undefined
        ? `spec.schedulerName "${name}" is none of the profiles (${known}): name one with ?profile=`
        : `profile: "${given}" is none of ${known}`,
    );
  }

  #asked(asked: PodInfo, nowMs: number): { readonly info: PodInfo; readonly snapshot: Snapshot } {
    const snapshot = this.#deps.state.snapshot(nowMs);
    const placed = placedPod(snapshot, asked);
    if (placed === undefined) {
      return { info: asked, snapshot };
    }
    const { metadata, spec } = asked.pod;
    const { nodeName: _bound, ...unbound } = spec;
    const info = podInfo({ ...asked.pod, metadata: { ...metadata, uid: placed.info.uid }, spec: unbound });
    return { info, snapshot: new SnapshotWithoutPod(snapshot, placed) };
  }

  /** Newest first; of one pod (`namespace/name`) only, when it is given. */
  recorded(podKey?: string, options: ExplainOptions = {}): readonly Explanation[] {
    return [...this.eachRecorded(podKey, options)];
  }

  /** The same one by one: each costs an evaluation of all nodes, only when it is asked for. */
  *eachRecorded(
    podKey?: string,
    { maxNodes = DEFAULT_MAX_NODES }: ExplainOptions = {},
  ): Generator<Explanation, undefined> {
    for (const record of this.#deps.log.newest(podKey)) {
      yield this.#recorded(record, maxNodes);
    }
  }

  #recorded(record: DecisionRecord, maxNodes: number): Explanation {
    const { snapshot, profile } = record;
    const loadSource = this.#deps.loadSources.get(profile.schedulerName);
    return snapshot === undefined
      ? withoutNodes(record)
      : explain({ ...record, snapshot, loadSource }, { tieSeed: this.#deps.tieSeed, maxNodes });
  }
}

/** Gates are not judged with the nodes: a pod that has some is not even tried. */
function gateMessage({ spec }: Pod): Pick<Explanation, 'message'> {
  const gates = spec.schedulingGates ?? [];
  if (gates.length === 0) return {};
  const names = gates.map(({ name }) => name).join(', ');
  return {
    message: `Scheduling is blocked by its scheduling gates (${names}): this is what would happen without them.`,
  };
}

function withoutNodes({ pod, profile, timeMs, snapshotVersion, decision }: DecisionRecord): Explanation {
  return {
    pod: pod.key,
    uid: pod.uid,
    time: new Date(timeMs).toISOString(),
    profile: profile.schedulerName,
    snapshotVersion,
    outcome: decision.kind,
    chosen: decision.kind === 'placed' ? decision.node : null,
    ...(decision.kind === 'placed' ? {} : { message: decision.message }),
    nodes: [],
    omittedNodes: 0,
    note: 'the nodes of older decisions are not kept',
  };
}
