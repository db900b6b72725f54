import type { ArgsReader } from '../framework/args-reader.js';
import type { ArgumentTexts } from '../framework/argument-texts.js';
import { parseGoDuration } from '../framework/go-duration.js';
import { LOAD_SOURCE_ARGUMENTS, type LoadSourceArgs, readLoadSource } from './load-source-args.js';

const MISSING_METRICS = ['zeroScore', 'skip', 'useRequests', 'error'] as const;
const WHEN_BLIND = ['zeroScore', 'useRequests'] as const;
const UNMEASURED_PODS = ['upstream', 'count', 'ignore'] as const;

/** The arguments of every plugin that goes by measured load, defaults filled in. */
export interface LoadArgs extends LoadSourceArgs {
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
  ...LOAD_SOURCE_ARGUMENTS,
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
