/**
 * The document that `/watcher` serves, decoded. The wire form (key order, capital `NodeMetricsMap`, number
 * format) is the codec's business: see encode.ts and decode.ts.
 */
export type WindowDuration = '15m' | '10m' | '5m';

export const WINDOW_DURATIONS: readonly WindowDuration[] = ['15m', '10m', '5m'];

export const WINDOW_SECONDS: Readonly<Record<WindowDuration, number>> = { '15m': 900, '10m': 600, '5m': 300 };

/** Types the Go load-watcher knows. Only CPU and Memory are percentages. */
export type MetricType = 'CPU' | 'Memory' | 'Bandwidth' | 'Storage' | 'Energy' | 'Unknown' | (string & {});

export type MetricOperator = 'AVG' | 'STD' | 'Latest' | 'Unknown' | '' | (string & {});

export interface Metric {
  /** Where the figure comes from, for people; consumers ignore it. */
  readonly name: string;
  readonly type: MetricType;
  readonly operator: MetricOperator;
  /** Window of the aggregate, or empty. */
  readonly rollup: string;
  /** For CPU and Memory: percent of the node's capacity, 0 to 100. Always finite. */
  readonly value: number;
}

export interface WatcherDocument {
  /** When the fetch completed. */
  readonly timestampUnixSeconds: number;
  readonly window: {
    readonly duration: WindowDuration | (string & {});
    readonly startUnixSeconds: number;
    /** When the data really end. */
    readonly endUnixSeconds: number;
  };
  /** `Prometheus`, `KubernetesMetricsServer`, `SignalFx`, `Datadog`. */
  readonly source: string;
  /** By node name. */
  readonly nodes: ReadonlyMap<string, readonly Metric[]>;
}
