import type { NodeInfo } from '../state/node-info.js';
import type { PodInfo } from '../state/pod-info.js';
import type { Snapshot } from '../state/snapshot.js';

/** `Unschedulable`: preemption might help. `UnschedulableAndUnresolvable`: it can't. */
export type RejectionCode = 'Unschedulable' | 'UnschedulableAndUnresolvable';

/** Why a node, or a pod as a whole, was refused. Reasons are constant texts: people grep for and count them. */
export interface Rejection {
  readonly plugin: string;
  readonly code: RejectionCode;
  readonly reasons: readonly string[];
}

/**
 * The scheduling framework's extension points, as pure functions.
 *
 * A plugin never touches time, I/O or the objects it is given. What it computes once per cycle it returns from
 * `preFilter` or `preScore`; the framework hands that value (`State`) back to `filter` and `score`.
 *
 * Verdicts and raw scores of unchanged nodes are kept for pods of the same class. So a plugin may look at the node,
 * at those parts of the pod that make up its class (`PodInfo.classKey`), and at whatever `inputsKey` stands for; at
 * nothing else.
 */
export interface Plugin {
  readonly name: string;
  /**
   * Set when the plugin looks at the Node object and at `PodInfo.placementKey` only, never at pods on the node or at
   * measured load: pods that differ in other things share its verdicts.
   */
  readonly scope?: 'node-object';
  /**
   * Stands for everything the plugin reads beside the node and the pod's class: when it changes, nothing that was kept
   * is used again. Absent where there is nothing of the kind.
   */
  inputsKey?(cycle: Cycle): string;
}

export interface Cycle {
  readonly pod: PodInfo;
  readonly snapshot: Snapshot;
}

export type PreFilterOutcome<State> =
  /** Nothing to check for this pod: the plugin's filter is not called. */
  | { readonly kind: 'skip' }
  /** Go on; `nodeNames`, when given, are the only candidates. */
  | { readonly kind: 'continue'; readonly state: State; readonly nodeNames?: ReadonlySet<string> }
  | { readonly kind: 'reject'; readonly rejection: Rejection };

/**
 * The same arithmetic on plain numbers, for pods whose class is new: what a node contributes is laid out in a row of a
 * table when the node or the plugin's `inputsKey` changes, and a verdict needs nothing but that row.
 */
export interface RowKernel<State = unknown> {
  /** Numbers in a row. */
  readonly width: number;
  /** Fills the row of a node. It may use only what `inputsKey` stands for of the state. */
  digest(node: NodeInfo, state: State, row: Float64Array): void;
  /** What `score` gives, or for a filter 1 when it finds nothing and 0 else; NaN: the row can't tell, ask the plugin. */
  value(state: State, table: Float64Array, at: number): number;
}

export interface FilterPlugin<State = unknown> extends Plugin {
  preFilter?(cycle: Cycle): PreFilterOutcome<State>;
  /**
   * In place of `preFilter`, for a plugin that judges a node by what else there is: called last, with the nodes that
   * all filters without this method let through. They are worked out as they are asked for, at most all. `inputsKey`
   * must stand for the whole cluster then, as the snapshot's version does.
   */
  preFilterAmong?(cycle: Cycle, candidates: Iterable<NodeInfo>): State;
  /** Undefined when the node will do. */
  filter(cycle: Cycle, node: NodeInfo, state: State): Rejection | undefined;
  /**
   * What a verdict was worked out from, recomputed on demand for people: of a refusal, and with `explainsPassed` of
   * nodes that will do. `gaps` in it lists what could not be checked.
   */
  explain?(cycle: Cycle, node: NodeInfo, state: State): Readonly<Record<string, unknown>>;
  readonly explainsPassed?: true;
  readonly kernel?: RowKernel<State>;
  /** What pods that are promised to this node, and not there yet, forbid; amounts and ports are in `node` already. */
  filterPromised?(cycle: Cycle, node: NodeInfo, promised: readonly PodInfo[]): Rejection | undefined;
}

export type PreScoreOutcome<State> =
  /** The plugin adds nothing for this pod. */
  { readonly kind: 'skip' } | { readonly kind: 'continue'; readonly state: State };

/**
 * Smallest and largest raw score among the feasible nodes. A raw score of +Infinity says that a node can't be compared
 * and belongs behind all others, NaN that nothing is known of it: neither takes part.
 */
export interface ScoreRange {
  readonly min: number;
  readonly max: number;
  /** Some node's raw score is +Infinity. */
  readonly someBehind: boolean;
}

export interface ScorePlugin<State = unknown> extends Plugin {
  preScore?(cycle: Cycle): PreScoreOutcome<State>;
  /** Raw score; an integer 0..100 unless `normalize` brings it there. */
  score(cycle: Cycle, node: NodeInfo, state: State): number;
  readonly kernel?: RowKernel<State>;
  /** Brings a raw score to an integer 0..100. */
  normalize?(raw: number, range: ScoreRange): number;
  /** Inputs and branch behind a score, recomputed on demand for people. */
  explain?(cycle: Cycle, node: NodeInfo, state: State): Readonly<Record<string, unknown>>;
}

/** Speaks when no node would do, as preemption will: the first text is added to what the pod is told. */
export interface PostFilterPlugin extends Plugin {
  postFilter(
    cycle: Cycle,
    rejected: readonly { readonly node: string; readonly rejection: Rejection }[],
  ): string | undefined;
}

/** Something about the pod that the framework is to write to the API server: plugins only say what. */
export type PodWrite =
  /** A condition of the pod, of the plugin's own type: `PodScheduled` is the framework's. */
  | {
      readonly kind: 'condition';
      readonly type: string;
      readonly status: 'True' | 'False' | 'Unknown';
      readonly reason: string;
      readonly message: string;
    }
  /** An event about the pod. Nobody waits for it. */
  | {
      readonly kind: 'event';
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly action: string;
      readonly note: string;
    };

/**
 * The last word on the chosen node before the pod is assumed there. What it would hold must follow from the snapshot
 * with the pod assumed: then forgetting the pod gives it back.
 */
export interface ReservePlugin extends Plugin {
  /** Undefined when the node may be taken. */
  reserve(cycle: Cycle, node: NodeInfo): Rejection | undefined;
  /**
   * What to write when the placement comes to nothing after all: a Reserve, Permit or PreBind plugin refused it or
   * threw, or a write or the binding failed. Asked of all Reserve plugins, in reverse order, also of those whose
   * `reserve` was not come to, before the pod is forgotten.
   */
  unreserve?(cycle: Cycle, node: NodeInfo): readonly PodWrite[];
}

/** Runs after every Reserve plugin has agreed. Waiting is not built: yes or no. */
export interface PermitPlugin extends Plugin {
  permit(cycle: Cycle, node: NodeInfo): Rejection | undefined;
}

export type PreBindOutcome =
  /** The plugin has nothing to do for this pod. */
  | { readonly kind: 'skip' }
  /** To be written, in order, before the pod is bound; what fails ends the attempt as an error. */
  | { readonly kind: 'write'; readonly writes: readonly PodWrite[] }
  | { readonly kind: 'reject'; readonly rejection: Rejection };

/** Runs when the pod is assumed on the node, before any Bind plugin. */
export interface PreBindPlugin extends Plugin {
  preBind(cycle: Cycle, node: NodeInfo): PreBindOutcome;
}

/** What is posted to bind a pod. */
export interface Binding {
  readonly namespace: string;
  readonly name: string;
  /** Precondition: another pod of the same name is not bound. */
  readonly uid: string;
  readonly nodeName: string;
}

export type BindChoice =
  /** The next Bind plugin is asked. */
  { readonly kind: 'skip' } | { readonly kind: 'bind'; readonly binding: Binding };

/** Says how the pod is bound to the node. The first of them that does not skip decides. */
export interface BindPlugin extends Plugin {
  bind(cycle: Cycle, node: NodeInfo): BindChoice;
}
