import type { ArgsReader } from '../framework/args-reader.js';
import type { ArgumentTexts } from '../framework/argument-texts.js';
import { maxAgeMsOf, readMaxAge } from '../node-statistics/load-args.js';
import type { SignalUse } from './signal-spec.js';

const UNITS = ['percent', 'ratio', 'relative'] as const;

/** A signal of the user's own, as a plugin's arguments define it. */
export interface SignalArgs {
  readonly name: string;
  readonly promQL: string;
  /** `relative`: an amount, taken as percent of the largest of any node. Absent where there is a capacity. */
  readonly unit?: (typeof UNITS)[number];
  /** PromQL or a number: what 100 % of an amount is. */
  readonly capacity?: string | number;
  readonly nodeLabel?: string;
  /** Go duration; 0: no limit. */
  readonly maxAge: string;
}

/** What the arguments of a signal mean. */
export const SIGNAL_ARGUMENTS: ArgumentTexts = {
  name: 'for explanations, log and metrics; small letters, digits and hyphens',
  promQL: 'an instant vector whose series name their nodes; of several series of one node the highest counts',
  unit: '`percent`, `ratio` (a share of 1) or `relative` (an amount, in percent of the largest of any node); instead of `capacity`',
  capacity: 'what 100 % of an amount is: a number, or PromQL by node; instead of `unit`',
  nodeLabel: 'label that holds the name of the node, asked before all others',
  maxAge: 'values read longer ago count as missing; `0s`: they never get too old',
};

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const DEFAULT_MAX_AGE = '5m';

interface Place {
  readonly path: string;
  /** Names that are taken; the signal's is added. */
  readonly names: Set<string>;
}

/** Checks and completes one signal. */
export function readSignalArgs(
  reader: ArgsReader,
  fields: Readonly<Record<string, unknown>>,
  { path, names }: Place,
): SignalArgs {
  const unit = reader.choice(fields.unit, `${path}.unit`, UNITS);
  const capacity = readCapacity(reader, fields.capacity, `${path}.capacity`);
  if (unit !== undefined && capacity !== undefined) {
    reader.problem(`${path}.unit`, `${unit} is given beside a capacity: remove one of the two`);
  } else if (unit === undefined && capacity === undefined && !reader.isReported(`${path}.capacity`)) {
    reader.missing(`${path}.unit`, 'is missing: give percent, ratio or relative; or a capacity, for amounts');
  }
  const nodeLabel = reader.string(fields.nodeLabel, `${path}.nodeLabel`);
  return {
    name: readName(reader, fields.name, { path: `${path}.name`, names }),
    promQL: readPromql(reader, fields.promQL, `${path}.promQL`),
    ...(unit === undefined ? {} : { unit }),
    ...(capacity === undefined ? {} : { capacity }),
    ...(nodeLabel === undefined ? {} : { nodeLabel }),
    maxAge: readMaxAge(reader, fields.maxAge, `${path}.maxAge`) ?? DEFAULT_MAX_AGE,
  };
}

function readName(reader: ArgsReader, value: unknown, { path, names }: Place): string {
  const name = reader.string(value, path);
  if (name === undefined) {
    reader.missing(path, 'is missing: give one such as "gpu"; explanations and metrics show it');
    return '';
  }
  if (!NAME.test(name)) reader.problem(path, `"${name}" is no name: small letters, digits and hyphens`);
  else if (names.has(name)) reader.problem(path, `"${name}" is taken: give each signal a name of its own`);
  names.add(name);
  return name;
}

/** What certainly is no PromQL; Prometheus tells the rest when it is asked. */
function readPromql(reader: ArgsReader, value: unknown, path: string): string {
  const text = reader.string(value, path);
  if (text === undefined) {
    reader.missing(path, 'is missing: give an expression whose series are one a node');
  } else if (text.trim() === '') {
    reader.problem(path, 'it is empty: give an expression whose series are one a node');
  } else if (text.includes('{{')) {
    reader.problem(path, `${JSON.stringify(text)} holds {{: an unrendered template?`);
  }
  return text?.trim() ?? '';
}

/** From 1 to 100, so that a share of 1 is not taken for it; where small ones have a meaning above 0. */
export function readPercent(
  reader: ArgsReader,
  value: unknown,
  { path, isFine = false }: { readonly path: string; readonly isFine?: boolean },
): number | undefined {
  const percent = reader.number(value, path);
  if (percent === undefined || isPercent(percent, isFine)) return percent;
  const bounds = isFine ? 'above 0 and up to 100' : 'within 1 and 100';
  reader.problem(path, `${percent} is not ${bounds}: it is a percentage`);
  return undefined;
}

/** @param isFine parts of 1 % are told apart, as of pressure. */
export function isPercent(value: number, isFine: boolean): boolean {
  return (isFine ? value > 0 : value >= 1) && value <= 100;
}

function readCapacity(reader: ArgsReader, value: unknown, path: string): string | number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return readPromql(reader, value, path);
  const amount = reader.number(value, path);
  if (amount !== undefined && amount <= 0) {
    reader.problem(path, `${amount} is not above 0: give what 100 % is, in the unit of promQL`);
  }
  return amount;
}

/** What is asked for the signal. */
export function signalUse({ name, promQL, unit, capacity, nodeLabel, maxAge }: SignalArgs): SignalUse {
  return {
    spec: {
      name,
      promql: promQL,
      unit: unit === 'percent' || unit === 'ratio' ? unit : 'amount',
      capacity,
      nodeLabel,
      counts: 'highest',
    },
    maxAgeMs: maxAgeMsOf(maxAge),
  };
}
