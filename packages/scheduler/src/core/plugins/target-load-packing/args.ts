import { type Int64, parseQuantity, quantityMilliValue, type ResourceList } from '@catamaran/model';
import type { ArgsOutcome } from '../../config/args-validator.js';
import { ArgsReader } from '../../framework/args-reader.js';
import { parseGoDuration } from '../../framework/go-duration.js';

export const METRIC_PROVIDER_TYPES = ['KubernetesMetricsServer', 'Prometheus', 'SignalFx'] as const;
export const MISSING_METRICS = ['zeroScore', 'skip', 'useRequests', 'error'] as const;
export const WHEN_BLIND = ['zeroScore', 'useRequests'] as const;
export const UNMEASURED_PODS = ['upstream', 'count', 'ignore'] as const;

export interface MetricProviderArgs {
  readonly type: (typeof METRIC_PROVIDER_TYPES)[number];
  readonly address?: string;
  readonly token?: string;
  readonly insecureSkipVerify?: boolean;
}

/** Trimaran's arguments and ours, defaults filled in; in the spelling of the config file. */
export interface TargetLoadPackingArgs {
  /** Percent of a node's CPU capacity to fill it to, 1..100. */
  readonly targetUtilization: number;
  /** What a container without CPU request and limit is taken for; only `cpu` is read. */
  readonly defaultRequests: ResourceList;
  /** Factor from request to expected use, as text. */
  readonly defaultRequestsMultiplier: string;
  /** A load-watcher to ask. Absent: the watcher runs in this process and reads `metricProvider`. */
  readonly watcherAddress?: string;
  readonly metricProvider?: MetricProviderArgs;
  /** Go duration; figures older than this count as missing. Absent: they never get too old. */
  readonly metricsMaxAge?: string;
  /** What a node without a usable figure scores. */
  readonly missingMetrics: (typeof MISSING_METRICS)[number];
  /** The same when no node has one. */
  readonly whenBlind: (typeof WHEN_BLIND)[number];
  /** Whether pods that the figures can't show yet are added; `upstream`: they are. */
  readonly unmeasuredPods: (typeof UNMEASURED_PODS)[number];
}

export const TARGET_LOAD_PACKING_DEFAULTS: TargetLoadPackingArgs = {
  targetUtilization: 40,
  defaultRequests: { cpu: '1000m' },
  defaultRequestsMultiplier: '1.5',
  missingMetrics: 'zeroScore',
  whenBlind: 'zeroScore',
  unmeasuredPods: 'upstream',
};

const FIELDS = [
  'targetUtilization',
  'defaultRequests',
  'defaultRequestsMultiplier',
  'watcherAddress',
  'metricProvider',
  'metricsMaxAge',
  'missingMetrics',
  'whenBlind',
  'unmeasuredPods',
];

/** Checks and completes the arguments; an ArgsValidator for the config reader. */
export function readTargetLoadPackingArgs(raw: unknown): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', FIELDS);
  const defaults = TARGET_LOAD_PACKING_DEFAULTS;
  const watcherAddress = readAddress(reader, fields.watcherAddress, 'watcherAddress');
  const metricProvider = readProvider(reader, fields.metricProvider, watcherAddress !== undefined);
  const metricsMaxAge = readMaxAge(reader, fields.metricsMaxAge);
  const args: TargetLoadPackingArgs = {
    targetUtilization: readTarget(reader, fields.targetUtilization),
    defaultRequests: readDefaultRequests(reader, fields.defaultRequests),
    defaultRequestsMultiplier: readMultiplier(reader, fields.defaultRequestsMultiplier),
    ...(watcherAddress === undefined ? {} : { watcherAddress }),
    ...(metricProvider === undefined ? {} : { metricProvider }),
    ...(metricsMaxAge === undefined ? {} : { metricsMaxAge }),
    missingMetrics:
      reader.choice(fields.missingMetrics, 'missingMetrics', MISSING_METRICS) ?? defaults.missingMetrics,
    whenBlind: reader.choice(fields.whenBlind, 'whenBlind', WHEN_BLIND) ?? defaults.whenBlind,
    unmeasuredPods:
      reader.choice(fields.unmeasuredPods, 'unmeasuredPods', UNMEASURED_PODS) ?? defaults.unmeasuredPods,
  };
  return reader.outcome(args);
}

function readTarget(reader: ArgsReader, value: unknown): number {
  const target = reader.integer(value, 'targetUtilization');
  const fallback = TARGET_LOAD_PACKING_DEFAULTS.targetUtilization;
  if (target === undefined) return fallback;
  if (target > 100) {
    reader.problem(
      'targetUtilization',
      `${target} is above 100: it is a percentage of the node's CPU, give 1 to 100`,
    );
  }
  if (target > 0) return target;
  reader.warn('targetUtilization', `${target} means the default ${fallback}: give 1 to 100, or leave it out`);
  return fallback;
}

function readDefaultRequests(reader: ArgsReader, value: unknown): ResourceList {
  if (value === undefined || value === null) return TARGET_LOAD_PACKING_DEFAULTS.defaultRequests;
  if (typeof value !== 'object' || Array.isArray(value)) {
    reader.problem('defaultRequests', 'expected a map such as {cpu: 1000m}');
    return {};
  }
  for (const [name, quantity] of Object.entries(value)) {
    const parsed = parseQuantity(quantity);
    const path = `defaultRequests.${name}`;
    if (!parsed.ok) reader.problem(path, parsed.problem);
    else if (parsed.value.nano < 0n) reader.problem(path, `${String(quantity)} is negative: give 0 or more`);
    else warnAboutMilli(reader, name, { path, quantity });
  }
  return value as ResourceList;
}

function warnAboutMilli(
  reader: ArgsReader,
  name: string,
  { path, quantity }: { readonly path: string; readonly quantity: unknown },
): void {
  if (name === 'cpu' || typeof quantity !== 'string' || !quantity.endsWith('m')) return;
  reader.warn(path, `"${quantity}" is thousandths of a byte: did you mean "M" or "Mi"?`);
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function readMultiplier(reader: ArgsReader, value: unknown): string {
  const path = 'defaultRequestsMultiplier';
  const text = reader.string(value, path);
  if (text === undefined) return TARGET_LOAD_PACKING_DEFAULTS.defaultRequestsMultiplier;
  const factor = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(factor)) {
    const shown = text === '' ? 'an empty text' : `"${text}"`;
    reader.problem(path, `${shown} is not a finite decimal number: give one such as "1.5", or leave it out`);
  } else if (factor < 0) {
    reader.problem(path, `"${text}" is negative: a pod can't be expected to use less than nothing`);
  }
  return text;
}

function readMaxAge(reader: ArgsReader, value: unknown): string | undefined {
  const text = reader.string(value, 'metricsMaxAge');
  if (text === undefined) return undefined;
  const ms = parseGoDuration(text);
  if (ms === undefined) {
    reader.problem('metricsMaxAge', `"${text}" is not a duration: give one such as "5m" or "1m30s"`);
  } else if (ms <= 0) {
    reader.problem('metricsMaxAge', `"${text}" would refuse every figure: give more than 0, or leave it out`);
  }
  return text;
}

function readAddress(reader: ArgsReader, value: unknown, path: string): string | undefined {
  const text = reader.string(value, path);
  if (text === undefined) return undefined;
  const problem = addressProblem(text);
  if (problem !== undefined) reader.problem(path, problem);
  return text;
}

const URL_SHAPE = /^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i;

function addressProblem(text: string): string | undefined {
  if (text === '') return 'it is empty: give a URL such as http://127.0.0.1:2020, or leave it out';
  if (/\$\{?\w+\}?/.test(text)) return `"${text}" is not a URL: an unexpanded variable?`;
  if (text.includes('{{')) return `"${text}" is not a URL: an unrendered template?`;
  if (!URL_SHAPE.test(text))
    return `"${text}" is not a URL: it must begin with http:// or https:// and a host`;
  return undefined;
}

function readProvider(
  reader: ArgsReader,
  value: unknown,
  overruled: boolean,
): MetricProviderArgs | undefined {
  if (value === undefined || value === null) {
    return overruled ? undefined : { type: 'KubernetesMetricsServer' };
  }
  const path = 'metricProvider';
  const fields = reader.map(value, path, ['type', 'address', 'token', 'insecureSkipVerify']);
  if (overruled) {
    reader.warn(path, 'has no effect beside watcherAddress: remove one of the two');
    return undefined;
  }
  const type = reader.choice(fields.type || undefined, `${path}.type`, METRIC_PROVIDER_TYPES);
  const address = readAddress(reader, fields.address || undefined, `${path}.address`);
  const token = reader.string(fields.token, `${path}.token`);
  const insecureSkipVerify = reader.boolean(fields.insecureSkipVerify, `${path}.insecureSkipVerify`);
  return {
    type: type ?? 'KubernetesMetricsServer',
    ...(address === undefined ? {} : { address }),
    ...(token === undefined ? {} : { token }),
    ...(insecureSkipVerify === undefined ? {} : { insecureSkipVerify }),
  };
}

/** The arguments as numbers. */
export interface PackingSettings {
  readonly targetPercent: number;
  readonly defaultCpuMilli: Int64;
  readonly multiplier: number;
  readonly maxAgeMs: number | undefined;
  readonly missingMetrics: TargetLoadPackingArgs['missingMetrics'];
  readonly whenBlind: TargetLoadPackingArgs['whenBlind'];
  readonly countsUnmeasured: boolean;
}

export function packingSettings(given: Partial<TargetLoadPackingArgs>): PackingSettings {
  const args = { ...TARGET_LOAD_PACKING_DEFAULTS, ...given };
  const cpu = parseQuantity(args.defaultRequests.cpu ?? '0');
  return {
    targetPercent: args.targetUtilization,
    defaultCpuMilli: cpu.ok ? quantityMilliValue(cpu.value) : 0,
    multiplier: Number(args.defaultRequestsMultiplier),
    maxAgeMs: args.metricsMaxAge === undefined ? undefined : parseGoDuration(args.metricsMaxAge),
    missingMetrics: args.missingMetrics,
    whenBlind: args.whenBlind,
    countsUnmeasured: args.unmeasuredPods !== 'ignore',
  };
}
