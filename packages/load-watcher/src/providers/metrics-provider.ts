import type { Metric, Node, WindowDuration } from '@catamaran/model';

/** Why a figure is absent. A closed set: it labels metrics. */
export type AbsenceReason =
  | 'non-finite'
  | 'negative'
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
  | 'query-failed';

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
}

export interface ProviderHealth {
  readonly healthy: boolean;
  /** Empty when healthy. */
  readonly reason: string;
}

/**
 * A source of node utilisation. Implementations: Metrics Server, Prometheus, in-memory; one conformance suite.
 */
export interface MetricsProvider {
  /** As it stands in the document's `source`. */
  readonly source: 'Prometheus' | 'KubernetesMetricsServer' | 'SignalFx' | 'Datadog' | (string & {});
  /**
   * Reads all windows once. Partial trouble is in the result.
   * @throws ProviderError when nothing could be read; the signal's reason when it aborts.
   */
  fetch(nowMs: number, signal: AbortSignal): Promise<ProviderFetch>;
  /** Asks the configured source, cheaply, whether it is there. Never rejects except with the signal's reason. */
  health(signal: AbortSignal): Promise<ProviderHealth>;
  close(): Promise<void>;
}

/** Nodes as the cluster lists them, or undefined where there is no access to it. */
export type NodeDirectory = () => readonly Node[] | undefined;
