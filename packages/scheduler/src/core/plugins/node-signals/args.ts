import type { ArgsOutcome } from '../../config/args-validator.js';
import { ArgsReader } from '../../framework/args-reader.js';
import { type ArgumentTexts, under } from '../../framework/argument-texts.js';
import { readPercent, readSignalArgs, SIGNAL_ARGUMENTS, type SignalArgs } from '../../signals/signal-args.js';
import {
  readSignalSource,
  SIGNAL_SOURCE_ARGUMENTS,
  type SignalSourceArgs,
} from '../../signals/source-args.js';

const DIRECTIONS = ['spread', 'pack', 'avoid'] as const;
const MISSING = ['zeroScore', 'skip', 'error'] as const;

/** One signal and what the plugin makes of it. */
export interface ScoredSignalArgs extends SignalArgs {
  /** `spread`: the less the better. `pack`: the nearer to the target the better. `avoid`: all alike up to the ceiling. */
  readonly direction: (typeof DIRECTIONS)[number];
  /** Percent, with `pack`. */
  readonly target?: number;
  /** Percent; a node above it scores 0, whatever its other signals say. */
  readonly ceiling?: number;
  /** Share in the score, beside the other signals'. */
  readonly weight: number;
  /** What a node without a value gets: 0 for this signal, a score from the other signals alone, or none at all. */
  readonly missing: (typeof MISSING)[number];
}

/** The arguments, defaults filled in. */
export interface NodeSignalsArgs {
  readonly prometheus: SignalSourceArgs;
  readonly signals: readonly ScoredSignalArgs[];
}

const SCORED_SIGNAL_ARGUMENTS: ArgumentTexts = {
  ...SIGNAL_ARGUMENTS,
  direction:
    '`spread`: the less the better · `pack`: the nearer to the target the better · `avoid`: all alike up to the ceiling',
  target: 'percent to pack to; with `pack`',
  ceiling: 'percent; a node above it scores 0, whatever its other signals say',
  weight: 'share in the score beside the other signals',
  missing:
    'a node without a value: `zeroScore` (0 for this signal), `skip` (the other signals alone), `error` (the attempt fails)',
};

/** What the arguments mean. */
export const NODE_SIGNALS_ARGUMENTS: ArgumentTexts = {
  ...under('prometheus', SIGNAL_SOURCE_ARGUMENTS),
  ...under('signals[]', SCORED_SIGNAL_ARGUMENTS),
};

/** Checks and completes the arguments; all problems at once. */
export function readNodeSignalsArgs(raw: unknown): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', ['prometheus', 'signals']);
  const prometheus = readSignalSource(reader, fields.prometheus, { path: 'prometheus' });
  const names = new Set<string>();
  const signals = reader
    .list(fields.signals, 'signals')
    .map((signal, index) => readScoredSignal(reader, signal, { path: `signals[${index}]`, names }));
  if (signals.length === 0) {
    reader.missing('signals', 'there is none: give at least one, with name, promQL, unit and direction');
  }
  return reader.outcome({ prometheus, signals } satisfies NodeSignalsArgs);
}

function readScoredSignal(
  reader: ArgsReader,
  value: unknown,
  place: { readonly path: string; readonly names: Set<string> },
): ScoredSignalArgs {
  const { path } = place;
  const fields = reader.map(value, path, Object.keys(SCORED_SIGNAL_ARGUMENTS));
  const direction = reader.choice(fields.direction, `${path}.direction`, DIRECTIONS);
  if (direction === undefined) {
    reader.missing(`${path}.direction`, `is missing: give one of ${DIRECTIONS.join(', ')}`);
  }
  const target = readPercent(reader, fields.target, { path: `${path}.target` });
  const ceiling = readPercent(reader, fields.ceiling, { path: `${path}.ceiling`, isFine: true });
  checkDirection(reader, { direction, target, ceiling }, path);
  return {
    ...readSignalArgs(reader, fields, place),
    direction: direction ?? 'spread',
    ...(target === undefined ? {} : { target }),
    ...(ceiling === undefined ? {} : { ceiling }),
    weight: readWeight(reader, fields.weight, `${path}.weight`),
    missing: reader.choice(fields.missing, `${path}.missing`, MISSING) ?? 'zeroScore',
  };
}

type Given = { readonly [F in 'direction' | 'target' | 'ceiling']: ScoredSignalArgs[F] | undefined };

function checkDirection(reader: ArgsReader, { direction, target, ceiling }: Given, path: string): void {
  if (direction === 'pack' && target === undefined) {
    reader.missing(`${path}.target`, 'is missing: pack needs a percentage to pack to, such as 70');
  }
  if (direction !== undefined && direction !== 'pack' && target !== undefined) {
    reader.problem(`${path}.target`, 'goes with direction pack only: remove it, or set direction: pack');
  }
  if (direction === 'avoid' && ceiling === undefined) {
    reader.missing(`${path}.ceiling`, 'is missing: avoid needs a percentage to stay below, such as 90');
  }
  if (target !== undefined && ceiling !== undefined && ceiling < target) {
    reader.problem(`${path}.ceiling`, `${ceiling} is below the target, ${target}: give as much or more`);
  }
}

function readWeight(reader: ArgsReader, value: unknown, path: string): number {
  const weight = reader.number(value, path) ?? 1;
  if (weight > 0) return weight;
  reader.problem(path, `${weight} is not above 0: remove the signal, or give it a weight such as 1`);
  return 1;
}
