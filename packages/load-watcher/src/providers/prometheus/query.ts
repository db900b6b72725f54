import { problem, type Result, type WindowDuration } from '@catamaran/model';
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
}

/** Resolution of the points over which a deviation is taken where the series itself has none. */
const STEP = '1m';
/** Range of the rate behind each such point: at least four samples of the usual intervals. */
const RATE = '5m';

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
  const cadvisor = (range: string): string =>
    `sum ${by} (rate(${selector('container_cpu_usage_seconds_total', 'id="/"')}[${range}])) / sum ${by} (${selector('machine_cpu_cores')})`;
  return [
    overSubquery({ name: 'node_cpu_seconds_total, windows_cpu_time_total', unit: 'ratio' }, ratio),
    ...rules(options, [
      METRIC_NAMES.CPU,
      'instance:node_cpu_utilisation:rate5m',
      'instance:node_cpu_utilisation:rate1m',
    ]),
    overSubquery({ name: 'container_cpu_usage_seconds_total{id="/"}', unit: 'ratio' }, cadvisor),
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
      unit: 'ratio',
      average: (window) =>
        each(
          (free, total) =>
            `1 - ${over('avg_over_time', free, window)} / ${over('avg_over_time', total, window)}`,
        ),
      deviation: (window) =>
        each(
          (free, total) =>
            `${over('stddev_over_time', free, window)} / ${over('avg_over_time', total, window)}`,
        ),
    },
    ...rules(options, [METRIC_NAMES.Memory]),
    overSubquery({ name: 'container_memory_working_set_bytes{id="/"}', unit: 'ratio' }, workingSet),
  ];
}

function overSubquery(
  identity: Pick<FigureSource, 'name' | 'unit'>,
  expression: (range: string) => string,
): FigureSource {
  return {
    ...identity,
    average: (window) => expression(window),
    deviation: (window) => `stddev_over_time((${expression(RATE)})[${window}:${STEP}])`,
  };
}

function rules(options: QueryOptions, names: readonly string[]): readonly FigureSource[] {
  const { selector } = builders(options);
  return names.map((name) => ({
    name,
    unit: 'ratio',
    average: (window) => `avg_over_time(${selector(name)}[${window}])`,
    deviation: (window) => `stddev_over_time(${selector(name)}[${window}])`,
  }));
}

function userSource({ promql, unit }: UserQuery): FigureSource {
  const identity = { name: promql, unit };
  if (promql.includes('$window')) {
    return overSubquery(identity, (range) => promql.replaceAll('$window', range));
  }
  return {
    ...identity,
    average: (window) => `avg_over_time((${promql})[${window}:${STEP}])`,
    deviation: (window) => `stddev_over_time((${promql})[${window}:${STEP}])`,
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

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Catches what certainly is no PromQL before Prometheus is asked: brackets, quotes, unfilled placeholders. */
export function checkPromql(text: string): Result<string> {
  const trimmed = text.trim();
  if (trimmed === '') return problem('the query is empty; leave the option out to use the built-in one');
  const placeholder = /\$(?!window\b)\{?\w*\}?|\{\{.*?\}\}/.exec(
    trimmed.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""'),
  );
  if (placeholder !== null) {
    return problem(
      `${placeholder[0]} is not filled in; the only placeholder is $window, which stands for 5m, 10m or 15m`,
    );
  }
  const expected: string[] = [];
  for (const token of trimmed.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|["'`()[\]{}]/g) ?? []) {
    if (token.length === 1 && '"\'`'.includes(token)) return problem(`a ${token} is not closed`);
    const closing = CLOSING[token];
    if (closing !== undefined) expected.push(closing);
    else if (token.length === 1 && expected.pop() !== token) return problem(`a ${token} closes nothing`);
  }
  const open = expected.pop();
  return open === undefined ? { ok: true, value: trimmed } : problem(`a ${open} is missing at the end`);
}
