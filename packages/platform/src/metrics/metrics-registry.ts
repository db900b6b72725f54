import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricSpec<Label extends string = string> {
  /** Prometheus name with its base unit: `…_seconds`, `…_bytes`, `…_total`. */
  readonly name: string;
  readonly help: string;
  /** Label names; their values must come from closed sets. */
  readonly labels?: readonly Label[];
  /** Upper bounds, of a histogram only. */
  readonly buckets?: readonly number[];
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

export type RegisteredMetric = MetricSpec & { readonly type: MetricType };

export type LabelValues<Label extends string> = Readonly<Record<Label, string>>;

export interface CounterMetric<Label extends string = never> {
  /** By 1, unless told otherwise. */
  increment(labels: LabelValues<Label>, by?: number): void;
}

export interface GaugeMetric<Label extends string = never> {
  set(labels: LabelValues<Label>, value: number): void;
  /** Drops all series that have labels. */
  clear(): void;
}

export interface HistogramMetric<Label extends string = never> {
  observe(labels: LabelValues<Label>, value: number): void;
}

/**
 * A private set of Prometheus metrics: two services in one process never clash. Asking for a metric again gives the
 * same one, provided that the spec is the same; so parts may be built more than once.
 */
export class MetricsRegistry {
  readonly #registry = new Registry();
  readonly #metrics = new Map<string, { readonly spec: RegisteredMetric; readonly metric: unknown }>();
  readonly #updates = new Set<() => void>();

  /** @param options `processMetrics` adds CPU, memory, event loop and garbage collection of this process. */
  constructor(options: { readonly processMetrics?: boolean } = {}) {
    if (options.processMetrics === true) {
      collectDefaultMetrics({ register: this.#registry });
    }
  }

  counter<const Label extends string = never>(spec: MetricSpec<Label>): CounterMetric<Label> {
    return this.#once('counter', spec, () => {
      const counter = new Counter<Label>(this.#configuration(spec));
      return { increment: (labels, by = 1) => counter.inc(labels, by) } satisfies CounterMetric<Label>;
    });
  }

  gauge<const Label extends string = never>(spec: MetricSpec<Label>): GaugeMetric<Label> {
    return this.#once('gauge', spec, () => {
      const gauge = new Gauge<Label>(this.#configuration(spec));
      return {
        set: (labels, value) => gauge.set(labels, value),
        clear: () => gauge.reset(),
      } satisfies GaugeMetric<Label>;
    });
  }

  histogram<const Label extends string = never>(spec: MetricSpec<Label>): HistogramMetric<Label> {
    return this.#once('histogram', spec, () => {
      const histogram = new Histogram<Label>({
        ...this.#configuration(spec),
        ...(spec.buckets === undefined ? {} : { buckets: [...spec.buckets] }),
      });
      return {
        observe: (labels, value) => histogram.observe(labels, value),
      } satisfies HistogramMetric<Label>;
    });
  }

  /** Calls back before each rendering, to set gauges that follow a state. The returned function ends that. */
  beforeRender(update: () => void): () => void {
    this.#updates.add(update);
    return () => this.#updates.delete(update);
  }

  /** The page for `/metrics`. */
  async render(): Promise<{ readonly contentType: string; readonly body: string }> {
    for (const update of this.#updates) {
      update();
    }
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  /** All metrics asked for so far, by name; without those of the process. */
  specs(): readonly RegisteredMetric[] {
    return [...this.#metrics.values()].map(({ spec }) => spec).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #configuration<Label extends string>(spec: MetricSpec<Label>) {
    return {
      name: spec.name,
      help: spec.help,
      labelNames: [...(spec.labels ?? [])],
      registers: [this.#registry],
    };
  }

  #once<M>(type: MetricType, spec: MetricSpec, create: () => M): M {
    const wanted: RegisteredMetric = { ...spec, type };
    const existing = this.#metrics.get(spec.name);
    if (existing === undefined) {
      const metric = create();
      this.#metrics.set(spec.name, { spec: wanted, metric });
      return metric;
    }
    if (identity(existing.spec) !== identity(wanted)) {
      throw new TypeError(
        `metric ${spec.name} exists already as a different one: ${identity(existing.spec)}`,
      );
    }
    return existing.metric as M;
  }
}

function identity({ type, help, labels, buckets }: RegisteredMetric): string {
  return JSON.stringify({ type, help, labels: labels ?? [], buckets: buckets ?? [] });
}
