import { MetricsRegistry, type RegisteredMetric } from '@catamaran/platform';
import { ABSENCE_REASONS, type Absence } from '../core/figures/figures.js';

export type RefreshOutcome = 'ok' | 'partial' | 'empty' | 'failed';

const DURATION_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What the load-watcher tells of itself. All label values come from closed sets. */
export class WatcherMetrics {
  readonly #refreshes;
  readonly #duration;
  readonly #nodes;
  readonly #absences;
  readonly #dataTime;

  constructor(registry: MetricsRegistry) {
    this.#refreshes = registry.counter({
      name: 'load_watcher_refreshes_total',
      help: 'Refreshes by outcome: ok, partial (some figures failed), empty, failed.',
      labels: ['outcome'],
    });
    this.#duration = registry.histogram({
      name: 'load_watcher_refresh_duration_seconds',
      help: 'Time a refresh took, from asking the provider to the encoded documents.',
      buckets: DURATION_BUCKETS,
    });
    this.#nodes = registry.gauge({
      name: 'load_watcher_nodes',
      help: 'Nodes with figures in the last refresh that had any.',
    });
    this.#absences = registry.gauge({
      name: 'load_watcher_absent_figures',
      help: 'Figures that the last refresh could not give, by reason; /debug/nodes has the details.',
      labels: ['reason'],
    });
    this.#dataTime = registry.gauge({
      name: 'load_watcher_data_timestamp_seconds',
      help: 'Unix time at which the newest served figures end.',
    });
    for (const outcome of ['ok', 'partial', 'empty', 'failed']) this.#refreshes.increment({ outcome }, 0);
    this.setAbsences([]);
  }

  refreshed(outcome: RefreshOutcome, durationMs: number): void {
    this.#refreshes.increment({ outcome });
    this.#duration.observe({}, durationMs / 1000);
  }

  setData(nodes: number, endUnixSeconds: number): void {
    this.#nodes.set({}, nodes);
    this.#dataTime.set({}, endUnixSeconds);
  }

  setAbsences(absences: readonly Absence[]): void {
    const counts = new Map<string, number>(ABSENCE_REASONS.map((reason) => [reason, 0]));
    for (const { reason } of absences) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    for (const [reason, count] of counts) this.#absences.set({ reason }, count);
  }
}

/** Every metric of the load-watcher, for its reference page. */
export function loadWatcherMetricSpecs(): readonly RegisteredMetric[] {
  const registry = new MetricsRegistry();
  new WatcherMetrics(registry);
  return registry.specs();
}
