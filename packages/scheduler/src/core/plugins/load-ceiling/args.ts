import type { ArgsOutcome } from '../../config/args-validator.js';
import { ArgsReader } from '../../framework/args-reader.js';
import { type ArgumentTexts, under } from '../../framework/argument-texts.js';
import { LOAD_ARGUMENTS, type LoadArgs, readMaxAge } from '../../node-statistics/load-args.js';
import {
  LOAD_SOURCE_ARGUMENTS,
  type LoadSourceArgs,
  readLoadSource,
} from '../../node-statistics/load-source-args.js';
import { readPercent, readSignalArgs, SIGNAL_ARGUMENTS, type SignalArgs } from '../../signals/signal-args.js';
import {
  readSignalSource,
  SIGNAL_SOURCE_ARGUMENTS,
  type SignalSourceArgs,
} from '../../signals/source-args.js';

const MODES = ['hard', 'soft'] as const;
const MISSING_METRICS = ['pass', 'reject'] as const;

/** Percent by name: `cpu`, `memory`, or a signal's. */
export type Ceilings = Readonly<Record<string, number>>;

/** The arguments, defaults filled in. */
export interface LoadCeilingArgs extends LoadSourceArgs, Pick<LoadArgs, 'metricsMaxAge'> {
  readonly ceilings: Ceilings;
  /** `soft`: where all nodes that would do are above a ceiling, the least loaded stay. */
  readonly mode: (typeof MODES)[number];
  /** What becomes of a node without a figure. */
  readonly missingMetrics: (typeof MISSING_METRICS)[number];
  /** Ceilings for pods of a priority class; what a class does not name is as for all pods. */
  readonly priorityClasses: readonly { readonly name: string; readonly ceilings: Ceilings }[];
  readonly signals: readonly SignalArgs[];
  /** Where the signals are read. */
  readonly prometheus?: SignalSourceArgs;
}

/** Figures of the load-watcher that have ceilings. */
export const LOAD_NAMES = ['cpu', 'memory'] as const;

export function isLoad(name: string): boolean {
  return LOAD_NAMES.some((load) => load === name);
}

const OWN_ARGUMENTS: ArgumentTexts = {
  ceilings: 'percent by name: `cpu` and `memory` from 1 to 100, a signal above 0',
  mode: '`hard`, or `soft`: where all nodes that would do are above a ceiling, the least loaded stay',
  missingMetrics: 'a node without a figure: `pass` or `reject`',
  priorityClasses: 'list of `{name, ceilings}`: other ceilings for the pods of a PriorityClass',
};

/** What the arguments mean. */
export const LOAD_CEILING_ARGUMENTS: ArgumentTexts = {
  ...OWN_ARGUMENTS,
  ...LOAD_SOURCE_ARGUMENTS,
  metricsMaxAge: LOAD_ARGUMENTS.metricsMaxAge ?? '',
  ...under('prometheus', SIGNAL_SOURCE_ARGUMENTS),
  ...under('signals[]', SIGNAL_ARGUMENTS),
};

const FIELDS = [
  ...Object.keys(LOAD_SOURCE_ARGUMENTS),
  'metricsMaxAge',
  ...Object.keys(OWN_ARGUMENTS),
  'signals',
  'prometheus',
];
export const DEFAULT_MAX_AGE = '5m';

type Fields = Readonly<Record<string, unknown>>;

/** Checks and completes the arguments; all problems at once. */
export function readLoadCeilingArgs(raw: unknown): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', FIELDS);
  const names = new Set<string>(LOAD_NAMES);
  const signals = reader.list(fields.signals, 'signals').map((value, index) => {
    const path = `signals[${index}]`;
    return readSignalArgs(reader, reader.map(value, path, Object.keys(SIGNAL_ARGUMENTS)), { path, names });
  });
  const known = [...names];
  const args: LoadCeilingArgs = {
    ...readLoadSource(reader, fields),
    metricsMaxAge: readMaxAge(reader, fields.metricsMaxAge) ?? DEFAULT_MAX_AGE,
    ceilings: readCeilings(reader, fields.ceilings, { path: 'ceilings', known }),
    mode: reader.choice(fields.mode, 'mode', MODES) ?? 'hard',
    missingMetrics: reader.choice(fields.missingMetrics, 'missingMetrics', MISSING_METRICS) ?? 'pass',
    priorityClasses: readClasses(reader, fields.priorityClasses, known),
    signals,
    ...readPrometheus(reader, fields, signals.length > 0),
  };
  const isWithoutCeilings = Object.keys(args.ceilings).length === 0 && args.priorityClasses.length === 0;
  if (isWithoutCeilings && !reader.isReported('priorityClasses')) {
    reader.missing('ceilings', `there is none: give a percentage for one of ${known.join(', ')}`);
  }
  return reader.outcome(args);
}

function readPrometheus(
  reader: ArgsReader,
  { prometheus }: Fields,
  needed: boolean,
): Pick<LoadCeilingArgs, 'prometheus'> {
  if (needed) return { prometheus: readSignalSource(reader, prometheus, { path: 'prometheus' }) };
  if (prometheus !== undefined && !reader.isReported('signals')) {
    reader.warn('prometheus', 'has no effect without signals: remove it');
  }
  return {};
}

function readCeilings(
  reader: ArgsReader,
  value: unknown,
  { path, known }: { readonly path: string; readonly known: readonly string[] },
): Ceilings {
  const given = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const fields = reader.map(value, path, given);
  for (const name of given) {
    // While something is wrong with the signals, the name may be one of theirs.
    if (known.includes(name) || reader.isReported('signals')) continue;
    reader.problem(
      `${path}.${name}`,
      `"${name}" is not measured: known are ${known.join(', ')}; a signal makes more`,
    );
  }
  const ceilings: Record<string, number> = {};
  for (const name of known) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const percent = readPercent(reader, value, { path: `${path}.${name}`, isFine: !isLoad(name) });
    if (percent !== undefined) ceilings[name] = percent;
  }
  return ceilings;
}

function readClasses(
  reader: ArgsReader,
  value: unknown,
  known: readonly string[],
): LoadCeilingArgs['priorityClasses'] {
  const seen = new Set<string>();
  return reader.list(value, 'priorityClasses').map((item, index) => {
    const path = `priorityClasses[${index}]`;
    const fields = reader.map(item, path, ['name', 'ceilings']);
    const name = reader.string(fields.name, `${path}.name`) ?? '';
    if (name === '') reader.missing(`${path}.name`, 'is missing: give the name of a PriorityClass');
    else if (seen.has(name)) reader.problem(`${path}.name`, `"${name}" is given twice: keep one of them`);
    seen.add(name);
    return { name, ceilings: readCeilings(reader, fields.ceilings, { path: `${path}.ceilings`, known }) };
  });
}

/** Whether any ceiling is one of CPU or memory, so that the load-watcher's figures are needed. */
export function readsLoad(args: unknown): boolean {
  const { ceilings = {}, priorityClasses = [] } = (args ?? {}) as Partial<LoadCeilingArgs>;
  return [ceilings, ...priorityClasses.map((item) => item.ceilings)].some((each) =>
    LOAD_NAMES.some((name) => each[name] !== undefined),
  );
}
