import type { Metric, WindowDuration } from '@catamaran/model';

/** Why a figure is absent. A closed set: it labels metrics. */
export type AbsenceReason =
  | 'non-finite'
  | 'negative'
  | 'implausible'
  | 'duplicate-series'
  | 'unmatched-instance'
  | 'ambiguous-instance'
  | 'unknown-node'
  | 'no-sample'
  | 'bad-quantity'
  | 'zero-capacity'
  | 'stale-sample'
  | 'future-sample'
  | 'older-than-node'
  | 'query-failed'
  | 'partial-answer'
  | 'malformed-item';

export const ABSENCE_REASONS: readonly AbsenceReason[] = [
  'non-finite',
  'negative',
  'implausible',
  'duplicate-series',
  'unmatched-instance',
  'ambiguous-instance',
  'unknown-node',
  'no-sample',
  'bad-quantity',
  'zero-capacity',
  'stale-sample',
  'future-sample',
  'older-than-node',
  'query-failed',
  'partial-answer',
  'malformed-item',
];

export interface Absence {
  /** Node name, or the instance/host as the source calls it when no node matched. */
  readonly subject: string;
  readonly metric: 'CPU' | 'Memory' | 'all';
  readonly reason: AbsenceReason;
  /** For people: the value, the limit, the remedy. */
  readonly detail: string;
}

export interface NodeFigures {
  /** In the order of the wire format: all AVG (or Latest) before all STD. */
  readonly metrics: readonly Metric[];
  /** Time of the oldest sample behind the figures, when the source tells. */
  readonly sampleUnixMs: number | undefined;
  /** The series behind the figures, for people. */
  readonly sources: readonly string[];
}

export interface WindowFigures {
  readonly duration: WindowDuration;
  readonly startUnixSeconds: number;
  readonly endUnixSeconds: number;
  /** Both CPU and Memory averages were answered (an empty answer is one). */
  readonly complete: boolean;
  readonly nodes: ReadonlyMap<string, NodeFigures>;
}

/** One fetch: what came, and for everything that did not come the reason. */
export interface ProviderFetch {
  readonly windows: readonly WindowFigures[];
  readonly absences: readonly Absence[];
  /** Failed queries or calls, one sentence each; the rest of the fetch stands. */
  readonly failures: readonly string[];
  /** What the source warns of though it answered; partial answers. */
  readonly warnings?: readonly string[];
  /** What an operator may want to know though nothing is wrong: which series are read. */
  readonly notes?: readonly string[];
  /** By which rules the series of each node were found, worked out when asked for. */
  readonly matchedBy?: () => ReadonlyMap<string, ReadonlySet<string>>;
}
