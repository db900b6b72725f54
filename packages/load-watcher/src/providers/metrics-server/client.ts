import { WINDOW_SECONDS } from '@catamaran/model';
import type { Clock, ClusterApi } from '@catamaran/platform';
import type { ProviderFetch } from '../../core/figures/figures.js';
import { DEFAULT_SAMPLE_TIME_LIMITS, type SampleTimeLimits } from '../../core/figures/sample-time.js';
import { RollingWindows } from '../../core/windows/rolling-windows.js';
import { withDeadline } from '../../deadline.js';
import { runInSlices } from '../../event-loop.js';
import { NodeCatalogue, type NodeSource } from '../../nodes/node-catalogue.js';
import { explainCall, type FetchCall } from '../explain-call.js';
import { type MetricsProvider, ProviderError, type ProviderHealth } from '../metrics-provider.js';
import { decodeUsage } from './decode.js';
import { windowsOf } from './windows.js';

export interface MetricsServerOptions {
  /** How often `fetch` is called; sizes the rolling windows. */
  readonly refreshIntervalMs: number;
  /** Deadline of the metrics call, and of the list of nodes; 10 s. */
  readonly callTimeoutMs?: number;
  readonly sampleLimits?: SampleTimeLimits;
}

export interface MetricsServerDeps {
  readonly api: ClusterApi;
  /** For the deadlines of calls. */
  readonly clock: Clock;
  /** Closed with the provider; by default the nodes are listed at each fetch. */
  readonly nodes?: NodeSource;
}

const DEFAULT_CALL_TIMEOUT_MS = 10_000;

/**
 * Kubernetes Metrics Server. Each fetch is one list of usage, and one of nodes where they are not watched; 5m, 10m and 15m are windows over the
 * samples of this process.
 */
export class MetricsServerProvider implements MetricsProvider {
  readonly source = 'KubernetesMetricsServer';
  readonly #options: MetricsServerOptions;
  readonly #deps: MetricsServerDeps;
  readonly #nodes: NodeSource;
  readonly #rolling: RollingWindows;
  readonly #callTimeoutMs: number;
  #health: ProviderHealth = { healthy: false, reason: 'the metrics API was not asked yet' };

  constructor(options: MetricsServerOptions, deps: MetricsServerDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#callTimeoutMs = options.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS;
    this.#nodes = deps.nodes ?? new NodeCatalogue({ timeoutMs: this.#callTimeoutMs }, deps);
    this.#rolling = new RollingWindows({
      longestSeconds: WINDOW_SECONDS['15m'],
      intervalSeconds: options.refreshIntervalMs / 1000,
    });
  }

  /** Bytes that the samples of one node take, whatever the number of nodes. */
  get bytesPerNode(): number {
    return this.#rolling.bytesPerNode;
  }

  async fetch(nowMs: number, signal: AbortSignal): Promise<ProviderFetch> {
    try {
      const [usage, list] = await Promise.all([
        explained('usage', this.#usage(signal)),
        explained('nodes', this.#nodes.list(signal)),
      ]);
      this.#health = { healthy: true, reason: '' };
      const limits = this.#options.sampleLimits ?? DEFAULT_SAMPLE_TIME_LIMITS;
      const { samples, absences } = await runInSlices(
        decodeUsage(usage, { nodes: list.nodes, nowMs, limits }),
      );
      this.#rolling.keepOnly((node) => list.nodes.has(node));
      for (const { node, identity, ...sample } of samples) this.#rolling.add(node, identity, sample);
      return {
        windows: await runInSlices(windowsOf(samples, this.#rolling, nowMs)),
        absences: [...list.malformed, ...absences],
        failures: [],
      };
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof ProviderError ? error : explainCall('usage', error);
      this.#health = { healthy: false, reason: failure.message };
      throw failure;
    }
  }

  /** The outcome of the last fetch: asking the metrics API costs as much as a fetch. */
  async health(signal: AbortSignal): Promise<ProviderHealth> {
    signal.throwIfAborted();
    return this.#health;
  }

  async close(): Promise<void> {
    await this.#nodes.close();
  }

  #usage(signal: AbortSignal) {
    const { clock, api } = this.#deps;
    return withDeadline(
      { timeoutMs: this.#callTimeoutMs, what: 'GET /apis/metrics.k8s.io/v1beta1/nodes', clock, signal },
      (limited) => api.listNodeMetrics(limited),
    );
  }
}

async function explained<T>(call: FetchCall, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw explainCall(call, error);
  }
}
