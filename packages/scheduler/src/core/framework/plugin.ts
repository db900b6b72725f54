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

export interface FilterPlugin<State = unknown> extends Plugin {
  preFilter?(cycle: Cycle): PreFilterOutcome<State>;
  /** Undefined when the node will do. */
  filter(cycle: Cycle, node: NodeInfo, state: State): Rejection | undefined;
  /** What pods that are promised to this node, and not there yet, forbid; amounts and ports are in `node` already. */
  filterPromised?(cycle: Cycle, node: NodeInfo, promised: readonly PodInfo[]): Rejection | undefined;
}

export type PreScoreOutcome<State> =
  /** The plugin adds nothing for this pod. */
  { readonly kind: 'skip' } | { readonly kind: 'continue'; readonly state: State };

/** Smallest and largest raw score among the feasible nodes. */
export interface ScoreRange {
  readonly min: number;
  readonly max: number;
}

export interface ScorePlugin<State = unknown> extends Plugin {
  preScore?(cycle: Cycle): PreScoreOutcome<State>;
  /** Raw score; an integer 0..100 unless `normalize` brings it there. */
  score(cycle: Cycle, node: NodeInfo, state: State): number;
  /** Brings a raw score to an integer 0..100. */
  normalize?(raw: number, range: ScoreRange): number;
  /** Inputs and branch behind a score, recomputed on demand for people. */
  explain?(cycle: Cycle, node: NodeInfo, state: State): Readonly<Record<string, unknown>>;
}
