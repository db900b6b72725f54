import type { Clock, Logger, MetricsRegistry } from '@catamaran/platform';
import type { MetricsProvider } from '../providers/metrics-provider.js';

export interface LoadWatcherOptions {
  /** From the start of one refresh to that of the next. */
  readonly refreshIntervalMs: number;
  /** Figures whose window ended longer ago are no longer served; 0 = serve for ever. */
  readonly maxAgeMs: number;
  /** Share of the interval by which each refresh is moved at random, so that replicas spread; 0 to 1. */
  readonly jitterRatio?: number;
}

export interface LoadWatcherDeps {
  readonly provider: MetricsProvider;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: MetricsRegistry;
  /** In [0, 1); for the jitter. */
  readonly random?: () => number;
  /** Time that nobody sets: figures grow old by it too. Left out where `clock` is never set back. */
  readonly stopwatchMs?: () => number;
}
