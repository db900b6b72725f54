import type { MetricsProvider, ProviderFetch, ProviderHealth } from '@catamaran/load-watcher';
import type { WindowDuration } from '@catamaran/model';

export interface Utilisation {
  /** Percent of capacity; absent when unknown. */
  readonly cpu?: number;
  readonly memory?: number;
}

const WINDOWS: readonly (readonly [WindowDuration, number])[] = [
  ['15m', 900],
  ['10m', 600],
  ['5m', 300],
];

/** A source of utilisation that says what it is told to. */
export class InMemoryMetricsProvider implements MetricsProvider {
  readonly source = 'Prometheus';
  /** By node name. */
  usage: Readonly<Record<string, Utilisation>> = {};
  /** What the next fetches reject with; undefined lets them succeed. */
  failure: Error | undefined;
  /** While set, fetches wait for it. */
  delay: Promise<void> | undefined;
  /** Added to what a fetch gives. */
  extra: Partial<ProviderFetch> = {};
  fetches = 0;
  closed = false;

  async fetch(nowMs: number, signal: AbortSignal): Promise<ProviderFetch> {
    this.fetches += 1;
    signal.throwIfAborted();
    await orAborted(this.delay, signal);
    if (this.failure !== undefined) throw this.failure;
    const endUnixSeconds = Math.floor(nowMs / 1000);
    const windows = WINDOWS.map(([duration, seconds]) => ({
      duration,
      startUnixSeconds: endUnixSeconds - seconds,
      endUnixSeconds,
      complete: true,
      nodes: new Map(
        Object.entries(this.usage).map(([node, utilisation]) => [
          node,
          { metrics: metricsOf(utilisation, duration), sampleUnixMs: nowMs, sources: ['memory'] },
        ]),
      ),
    }));
    return { windows, absences: [], failures: [], ...this.extra };
  }

  async health(signal: AbortSignal): Promise<ProviderHealth> {
    signal.throwIfAborted();
    return { healthy: this.failure === undefined, reason: this.failure?.message ?? '' };
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

function metricsOf({ cpu, memory }: Utilisation, rollup: WindowDuration) {
  const figures = [
    ['CPU', cpu],
    ['Memory', memory],
  ] as const;
  return figures.flatMap(([type, value]) =>
    value === undefined ? [] : [{ name: `in-memory ${type}`, type, operator: 'AVG', rollup, value }],
  );
}

async function orAborted(work: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  if (work === undefined) return;
  await new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    void work.then(resolve, reject);
  });
}
