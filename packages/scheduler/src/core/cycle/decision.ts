import type { Rejection } from '../framework/plugin.js';

/** Outcome of one scheduling attempt: small, so that deciding stays cheap. Details are recomputed by `evaluate`. */
export type Decision =
  | {
      readonly kind: 'placed';
      readonly node: string;
      readonly feasibleCount: number;
      readonly evaluatedCount: number;
      /** Weighted sum of the node that was taken; 0 when a single node was feasible and scoring was skipped. */
      readonly total: number;
      /** How many nodes shared that total. */
      readonly tiedCount: number;
    }
  | {
      readonly kind: 'unschedulable';
      /** kube-scheduler's text: `0/3 nodes are available: 3 Insufficient cpu.` */
      readonly message: string;
      /** Plugins that refused: only events that concern them may help the pod. */
      readonly rejectedBy: ReadonlySet<string>;
      readonly reservedOn?: ReservedOn;
    }
  | {
      /** Something we can't honour, or a plugin that misbehaved: condition reason `SchedulerError`. */
      readonly kind: 'error';
      readonly message: string;
      /** The feature that is refused by name, when that is the cause. */
      readonly refusedFeature: string | undefined;
      readonly reservedOn?: ReservedOn;
    };

/** The node that Reserve plugins were asked about before it came to nothing: they are to be asked to undo that. */
type ReservedOn = string;

export interface NodeScore {
  readonly node: string;
  /** Per score plugin: normalised 0..100 and multiplied by the plugin's weight. A plugin that skipped is absent. */
  readonly byPlugin: Readonly<Record<string, number>>;
  readonly total: number;
}

export interface RejectedNode {
  readonly node: string;
  readonly rejection: Rejection;
}

/** Everything about one attempt, for explanations and conformance; costs an allocation per node. */
export interface Evaluation {
  readonly feasible: readonly string[];
  /** Empty when fewer than two nodes were feasible: scoring is skipped then. */
  readonly scores: readonly NodeScore[];
  /** The nodes with the highest total. */
  readonly best: readonly string[];
  readonly rejected: readonly RejectedNode[];
  /** Set when a PreFilter plugin refused the pod as a whole. */
  readonly preFilterRejection: Rejection | undefined;
  readonly decision: Decision;
}
