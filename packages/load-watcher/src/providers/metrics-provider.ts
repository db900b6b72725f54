import type { ProviderFetch } from '../core/figures/figures.js';

export interface ProviderHealth {
  readonly healthy: boolean;
  /** Empty when healthy. */
  readonly reason: string;
}

/**
 * Why nothing could be read. `unreachable`: no answer. `refused`: credentials or permissions. `bad-answer`: every
 * query failed. `timeout`: too slow.
 */
export type ProviderErrorCode = 'unreachable' | 'refused' | 'timeout' | 'bad-answer';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ProviderErrorCode;

  constructor(code: ProviderErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
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
