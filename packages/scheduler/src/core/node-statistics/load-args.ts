import type { ArgsReader } from '../framework/args-reader.js';
import type { ArgumentTexts } from '../framework/argument-texts.js';
import { parseGoDuration } from '../framework/go-duration.js';

const METRIC_PROVIDER_TYPES = ['KubernetesMetricsServer', 'Prometheus', 'SignalFx'] as const;
const MISSING_METRICS = ['zeroScore', 'skip', 'useRequests', 'error'] as const;
const WHEN_BLIND = ['zeroScore', 'useRequests'] as const;
const UNMEASURED_PODS = ['upstream', 'count', 'ignore'] as const;

export interface MetricProviderArgs {
  readonly type: (typeof METRIC_PROVIDER_TYPES)[number];
  readonly address?: string;
  readonly token?: string;
  readonly insecureSkipVerify?: boolean;
}

/** The arguments of every plugin that goes by measured load, defaults filled in. */
export interface LoadArgs {
  /** A load-watcher to ask. Absent: the watcher runs in this process and reads `metricProvider`. */
  readonly watcherAddress?: string;
  readonly metricProvider?: MetricProviderArgs;
  /** Go duration; figures older than this count as missing. Absent or 0: they never get too old. */
  readonly metricsMaxAge?: string;
  /** What a node without a usable figure scores. */
  readonly missingMetrics: (typeof MISSING_METRICS)[number];
  /** The same when no node has one. */
  readonly whenBlind: (typeof WHEN_BLIND)[number];
  /** Whether pods that the figures can't show yet are added; `upstream`: as Trimaran's plugin of that name does. */
  readonly unmeasuredPods: (typeof UNMEASURED_PODS)[number];
}

export const LOAD_ARGS_DEFAULTS: LoadArgs = {
  missingMetrics: 'zeroScore',
  whenBlind: 'zeroScore',
  unmeasuredPods: 'upstream',
};

/** What these arguments mean. */
export const LOAD_ARGUMENTS: ArgumentTexts = {
  watcherAddress: 'load-watcher to ask; else the watcher runs inside and reads `metricProvider`',
  metricProvider: '`type` (KubernetesMetricsServer, Prometheus, …), `address`, `token`, `insecureSkipVerify`',
  metricsMaxAge: 'figures whose window ended longer ago count as missing; `0s`: they never get too old',
  missingMetrics:
    '`zeroScore`: a node without figures scores 0 · `skip`: 50, neither liked nor disliked · `useRequests`: its requests stand in for measured use · `error`: the attempt fails',
  whenBlind: 'the same when no node at all has a figure: `zeroScore` or `useRequests`',
  unmeasuredPods:
    'pods that the figures can not show yet (assigned less than 60 s before their end): `count`, `ignore`, or `upstream`, as Trimaran does (TargetLoadPacking counts them, the others do not)',
};

type Fields = Readonly<Record<string, unknown>>;

/** Checks and completes these arguments. */
export function readLoadArgs(reader: ArgsReader, fields: Fields): LoadArgs {
  const metricsMaxAge = readMaxAge(reader, fields.metricsMaxAge);
  const defaults = LOAD_ARGS_DEFAULTS;
  return {
    ...readLoadSource(reader, fields),
    ...(metricsMaxAge === undefined ? {} : { metricsMaxAge }),
    missingMetrics:
      reader.choice(fields.missingMetrics, 'missingMetrics', MISSING_METRICS) ?? defaults.missingMetrics,
    whenBlind: reader.choice(fields.whenBlind, 'whenBlind', WHEN_BLIND) ?? defaults.whenBlind,
    unmeasuredPods:
      reader.choice(fields.unmeasuredPods, 'unmeasuredPods', UNMEASURED_PODS) ?? defaults.unmeasuredPods,
  };
}

/** Where figures come from. */
export function readLoadSource(
  reader: ArgsReader,
  fields: Fields,
): Pick<LoadArgs, 'watcherAddress' | 'metricProvider'> {
  const watcherAddress = readAddress(reader, fields.watcherAddress, 'watcherAddress');
  const metricProvider = readProvider(reader, fields.metricProvider, watcherAddress !== undefined);
  return {
    ...(watcherAddress === undefined ? {} : { watcherAddress }),
    ...(metricProvider === undefined ? {} : { metricProvider }),
  };
}

/** A Go duration; 0 for no limit. */
export function readMaxAge(reader: ArgsReader, value: unknown, path = 'metricsMaxAge'): string | undefined {
  const text = typeof value === 'number' ? String(value) : reader.string(value, path);
  if (text === undefined) return undefined;
  const problem = ageProblem(text);
  if (problem !== undefined) reader.problem(path, problem);
  return text;
}

function ageProblem(text: string): string | undefined {
  const ms = BARE_NUMBER.test(text) ? Number(text) : parseGoDuration(text);
  if (ms === undefined) return `"${text}" is not a duration: give one such as "5m" or "1m30s"`;
  if (ms === 0) return undefined;
  if (ms < 0) return `"${text}" would refuse every figure: give more than 0, or 0s for no limit`;
  return BARE_NUMBER.test(text)
    ? `${text} has no unit: write ${text}s for seconds or ${text}m for minutes`
    : undefined;
}

/** Undefined where figures never get too old: without a limit, and with one of 0. */
export function maxAgeMsOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseGoDuration(text) || undefined;
}

const BARE_NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** An HTTP URL. */
export function readAddress(reader: ArgsReader, value: unknown, path: string): string | undefined {
  const text = reader.string(value, path);
  if (text === undefined) return undefined;
  const problem = addressProblem(text);
  if (problem !== undefined) reader.problem(path, problem);
  return text;
}

const URL_SHAPE = /^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i;

function addressProblem(text: string): string | undefined {
  if (text === '') return 'it is empty: give a URL such as http://127.0.0.1:2020, or leave it out';
  // All before the last @ may be a password, however odd.
  const shown = JSON.stringify(text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[\s\S]*@/i, '$1***@'));
  if (/\$\{?\w+\}?/.test(text)) return `${shown} is not a URL: an unexpanded variable?`;
  if (text.includes('{{')) return `${shown} is not a URL: an unrendered template?`;
  if (!URL_SHAPE.test(text))
    return `${shown} is not a URL: it must begin with http:// or https:// and a host`;
  if (/^https?:\/\/[^/?#\\]*[/?#\\][\s\S]*@/i.test(text)) {
    return `${shown} has an @ after the host: write special characters of user and password percent-encoded`;
  }
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

/** The arguments as plugins use them. */
export interface LoadSettings {
  readonly maxAgeMs: number | undefined;
  readonly missingMetrics: LoadArgs['missingMetrics'];
  readonly whenBlind: LoadArgs['whenBlind'];
  readonly countsUnmeasured: boolean;
}

/** @param upstreamCounts whether Trimaran's plugin of that name adds pods that the figures can't show yet. */
export function loadSettings(given: Partial<LoadArgs>, upstreamCounts: boolean): LoadSettings {
  const args = { ...LOAD_ARGS_DEFAULTS, ...given };
  return {
    maxAgeMs: maxAgeMsOf(args.metricsMaxAge),
    missingMetrics: args.missingMetrics,
    whenBlind: args.whenBlind,
    countsUnmeasured: args.unmeasuredPods === 'upstream' ? upstreamCounts : args.unmeasuredPods === 'count',
  };
}
