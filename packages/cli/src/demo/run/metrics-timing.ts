/** How fresh the load figures are that the scheduler sees. */
export interface MetricsTiming {
  /** How often the load-watcher reads the metrics. */
  readonly refreshIntervalMs: number;
  /** Older figures count as missing, in the load-watcher and in the scheduler; 0 keeps them for ever. */
  readonly maxAgeMs: number;
}

/** The defaults of both services, with the age limit of the shipped samples. */
export const METRICS_TIMING: MetricsTiming = { refreshIntervalMs: 60_000, maxAgeMs: 300_000 };
