import type { WindowDuration } from '@catamaran/model';
import type { Resource } from '../../core/figures/figure-table.js';

export type Unit = 'ratio' | 'percent';

/** A PromQL expression of the operator's own for the utilisation of one resource. */
export interface UserQuery {
  /** With `$window` it is the average over that range; without, utilisation now, and the watcher averages it. */
  readonly promql: string;
  readonly unit: Unit;
}

export interface QueryOptions {
  /** Extra matcher of every series that the watcher itself names, such as `cluster="blue"`; may be empty. */
  readonly matcher: string;
  /** Label that holds the node's name, asked before all others. */
  readonly nodeLabel: string | undefined;
  readonly userQueries: Readonly<Partial<Record<Resource, UserQuery>>>;
}

/** One way to learn the utilisation of a resource, per node. */
export interface FigureSource {
  /** For people: the series it rests on. */
  readonly name: string;
  readonly unit: Unit;
  readonly average: (window: WindowDuration) => string;
  readonly deviation: (window: WindowDuration) => string;
  /** Unix seconds of each node's newest sample; undefined where an expression hides them, or `timedBy` tells. */
  readonly sampleTime: string | undefined;
  /** The resource that the same scrape brings, and whose times stand for this one's: they cost less there. */
  readonly timedBy?: Resource;
}

/** Resolution of the points over which a deviation is taken where the series itself has none. */
const STEP = '1m';
/** Range of the rate behind each such point: at least four samples of the usual intervals. */
const RATE = '5m';

const RATIO = { unit: 'ratio' } as const;
/** Of anything else `timestamp` is the time of evaluation. */
const BARE_SELECTOR = /^[a-zA-Z_:][\w:]*(\{[^{}]*\})?$/;

/** Names under which the Go service publishes the figures; consumers ignore them. */
export const METRIC_NAMES: Readonly<Record<Resource, string>> = {
  CPU: 'instance:node_cpu:ratio',
  Memory: 'instance:node_memory_utilisation:ratio',
};

/** In the order in which they are tried; the first that answers with series is used. */
export function figureSources(resource: Resource, options: QueryOptions): readonly FigureSource[] {
  const user = options.userQueries[resource];
  if (user !== undefined) return [userSource(user)];
  return resource === 'CPU' ? cpuSources(options) : memorySources(options);
}

function cpuSources(options: QueryOptions): readonly FigureSource[] {
  const { selector, by } = builders(options);
  const busyShare = (metric: string, idle: string, range: string): string =>
    `sum ${by} (rate(${selector(metric, `mode!~"${idle}"`)}[${range}])) / sum ${by} (rate(${selector(metric)}[${range}]))`;
  const ratio = (range: string): string =>
    `(${busyShare('node_cpu_seconds_total', 'idle|iowait|steal', range)}) or (${busyShare('windows_cpu_time_total', 'idle', range)})`;
  const rateOf = (metric: string, own: string, range: string): string =>
    `sum ${by} (rate(${selector(metric, own)}[${range}]))`;
  const containers = (range: string): string => rateOf('container_cpu_usage_seconds_total', 'id="/"', range);
  const cadvisor = (range: string): string =>
    `${containers(range)} / sum ${by} (${selector('machine_cpu_cores')})`;
  // One mode of eight stands for all: it has its points at the same times.
  const idle = (range: string): string =>
    ['node_cpu_seconds_total', 'windows_cpu_time_total']
      .map((metric) => `(${rateOf(metric, 'mode="idle"', range)})`)
      .join(' or ');
  const cpuTime = newest(options, [
    selector('node_cpu_seconds_total', 'mode="idle"'),
    selector('windows_cpu_time_total', 'mode="idle"'),
  ]);
  // Exporters give a series for each core; the same scrape has one for memory.
  const timed =
    options.userQueries.Memory === undefined
      ? ({ sampleTime: undefined, timedBy: 'Memory' } as const)
      : { sampleTime: cpuTime };
  const cadvisorTime = newest(options, [selector('container_cpu_usage_seconds_total', 'id="/"')]);
  return [
    overSubquery({ name: 'node_cpu_seconds_total, windows_cpu_time_total', ...RATIO, ...timed }, ratio, idle),
    ...rules(options, [
      METRIC_NAMES.CPU,
      'instance:node_cpu_utilisation:rate5m',
      'instance:node_cpu_utilisation:rate1m',
    ]),
    overSubquery(
      { name: 'container_cpu_usage_seconds_total{id="/"}', ...RATIO, sampleTime: cadvisorTime },
      cadvisor,
      containers,
    ),
  ];
}

/** Free and total bytes of the exporters: Linux, and Windows under its newer and older names. */
const MEMORY_PAIRS = [
  ['node_memory_MemAvailable_bytes', 'node_memory_MemTotal_bytes'],
  ['windows_memory_physical_free_bytes', 'windows_memory_physical_total_bytes'],
  ['windows_os_physical_memory_free_bytes', 'windows_cs_physical_memory_bytes'],
] as const;

function memorySources(options: QueryOptions): readonly FigureSource[] {
  const { selector, by } = builders(options);
  const over = (aggregate: string, metric: string, window: string): string =>
    `max ${by} (${aggregate}(${selector(metric)}[${window}]))`;
  const each = (expression: (free: string, total: string) => string): string =>
    MEMORY_PAIRS.map(([free, total]) => `(${expression(free, total)})`).join(' or ');
  const workingSet = (range: string): string =>
    `max ${by} (avg_over_time(${selector('container_memory_working_set_bytes', 'id="/"')}[${range}])) / max ${by} (${selector('machine_memory_bytes')})`;
  return [
    {
      name: 'node_memory_MemAvailable_bytes, windows_memory_physical_free_bytes',
      ...RATIO,
      sampleTime: newest(
        options,
        MEMORY_PAIRS.map(([free]) => selector(free)),
      ),
      average: (window) =>
        each(
          (free, total) =>
            `1 - ${over('avg_over_time', free, window)} / ${over('avg_over_time', total, window)}`,
        ),
      deviation: (window) =>
        each(
          (free, total) =>
            `${over('stddev_over_time', free, window)} / ${over('avg_over_time', total, window)} and ${over('count_over_time', free, window)} > 1`,
        ),
    },
    ...rules(options, [METRIC_NAMES.Memory]),
    overSubquery(
      {
        name: 'container_memory_working_set_bytes{id="/"}',
        ...RATIO,
        sampleTime: newest(options, [selector('container_memory_working_set_bytes', 'id="/"')]),
      },
      workingSet,
    ),
  ];
}

/** Of every exporter that one of these series comes from. */
function newest(options: QueryOptions, selectors: readonly string[]): string {
  const { by } = builders(options);
  return selectors.map((selector) => `max ${by} (timestamp(${selector}))`).join(' or ');
}

/** @param points has a sample where `expression` has one, and may be cheaper. */
function overSubquery(
  identity: Pick<FigureSource, 'name' | 'unit' | 'sampleTime' | 'timedBy'>,
  expression: (range: string) => string,
  points = expression,
): FigureSource {
  return {
    ...identity,
    average: (window) => expression(window),
    deviation: (window) => {
      const over = `[${window}:${STEP}]`;
      return deviationOf(`(${expression(RATE)})${over}`, `(${points(RATE)})${over}`);
    },
  };
}

/** Of one sample PromQL gives 0, which is no deviation: where there is but one, there is none. */
function deviationOf(samples: string, counted = samples): string {
  return `stddev_over_time(${samples}) and count_over_time(${counted}) > 1`;
}

function rules(options: QueryOptions, names: readonly string[]): readonly FigureSource[] {
  const { selector } = builders(options);
  return names.map((name) => ({
    name,
    ...RATIO,
    sampleTime: `timestamp(${selector(name)})`,
    average: (window) => `avg_over_time(${selector(name)}[${window}])`,
    deviation: (window) => deviationOf(`${selector(name)}[${window}]`),
  }));
}

function userSource({ promql, unit }: UserQuery): FigureSource {
  const sampleTime = BARE_SELECTOR.test(promql) ? `timestamp(${promql})` : undefined;
  const identity = { name: promql, unit, sampleTime };
  if (promql.includes('$window')) {
    return overSubquery(identity, (range) => promql.replaceAll('$window', range));
  }
  return {
    ...identity,
    average: (window) => `avg_over_time((${promql})[${window}:${STEP}])`,
    deviation: (window) => deviationOf(`(${promql})[${window}:${STEP}]`),
  };
}

/** Info metrics that tell the node of a series; of pods only those that the given series name. */
export function infoQueries(
  series: string,
  options: QueryOptions,
): Readonly<Record<'pod' | 'ip' | 'hostname', string>> {
  const { selector } = builders(options);
  return {
    pod: `max by (namespace, pod, node) (${selector('kube_pod_info', 'node!=""')}) and on (namespace, pod) (${series})`,
    ip: `max by (internal_ip, node) (${selector('kube_node_info')})`,
    hostname: `max by (instance, nodename) (${selector('node_uname_info')})`,
  };
}

/** Labels that may tell the node of a series; all queries keep them and drop the rest. */
export function identityLabels(nodeLabel: string | undefined): readonly string[] {
  const labels = ['instance', 'kubernetes_node', 'namespace', 'node', 'pod'];
  return nodeLabel === undefined || labels.includes(nodeLabel) ? labels : [...labels, nodeLabel];
}

function builders(options: QueryOptions) {
  const by = `by (${identityLabels(options.nodeLabel).join(', ')})`;
  const selector = (metric: string, own = ''): string => {
    const matchers = [own, options.matcher].filter((text) => text !== '').join(', ');
    return matchers === '' ? metric : `${metric}{${matchers}}`;
  };
  return { by, selector };
}
