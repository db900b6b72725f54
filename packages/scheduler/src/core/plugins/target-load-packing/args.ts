import { parseQuantity, quantityMilliValue, type ResourceList } from '@catamaran/model';
import type { ArgsOutcome } from '../../config/args-validator.js';
import { ArgsReader } from '../../framework/args-reader.js';
import type { ArgumentTexts } from '../../framework/argument-texts.js';
import type { Prediction } from '../../node-statistics/cpu-prediction.js';
import { orDefault } from '../../node-statistics/lenient-number.js';
import {
  LOAD_ARGS_DEFAULTS,
  LOAD_ARGUMENTS,
  type LoadArgs,
  type LoadSettings,
  loadSettings,
  readLoadArgs,
} from '../../node-statistics/load-args.js';

/** Trimaran's arguments and ours, defaults filled in; in the spelling of the config file. */
export interface TargetLoadPackingArgs extends LoadArgs {
  /** Percent of a node's CPU capacity to fill it to, 1..100. */
  readonly targetUtilization: number;
  /** What a container without CPU request and limit is taken for; only `cpu` is read. */
  readonly defaultRequests: ResourceList;
  /** Factor from request to expected use, as text. */
  readonly defaultRequestsMultiplier: string;
}

const TARGET_LOAD_PACKING_DEFAULTS: TargetLoadPackingArgs = {
  targetUtilization: 40,
  defaultRequests: { cpu: '1000m' },
  defaultRequestsMultiplier: '1.5',
  ...LOAD_ARGS_DEFAULTS,
};

/** What the arguments mean. */
export const TARGET_LOAD_PACKING_ARGUMENTS: ArgumentTexts = {
  targetUtilization: "percent of a node's CPU to fill it to, 1 to 100; 0 and below mean the default",
  defaultRequests: 'for containers without CPU request and limit; only `cpu` is read',
  defaultRequestsMultiplier: 'from request to expected use; text',
  ...LOAD_ARGUMENTS,
};

/** Checks and completes the arguments; an ArgsValidator for the config reader. */
export function readTargetLoadPackingArgs(raw: unknown): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', Object.keys(TARGET_LOAD_PACKING_ARGUMENTS));
  const args: TargetLoadPackingArgs = {
    targetUtilization: readTarget(reader, fields.targetUtilization),
    defaultRequests: readDefaultRequests(reader, fields.defaultRequests),
    defaultRequestsMultiplier: readMultiplier(reader, fields.defaultRequestsMultiplier),
    ...readLoadArgs(reader, fields),
  };
  return reader.outcome(args);
}

function readTarget(reader: ArgsReader, value: unknown): number {
  const target = reader.integer(value, 'targetUtilization');
  const fallback = TARGET_LOAD_PACKING_DEFAULTS.targetUtilization;
  if (target !== undefined && target > 100) {
    reader.problem(
      'targetUtilization',
      `${target} is above 100: it is a percentage of the node's CPU, give 1 to 100`,
    );
  }
  const isFine = (percent: number): boolean => percent > 0;
  return orDefault(reader, target, { path: 'targetUtilization', fallback, isFine, want: '1 to 100' });
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

/** The arguments as numbers. */
export interface PackingSettings extends LoadSettings, Prediction {
  readonly targetPercent: number;
}

export function packingSettings(given: Partial<TargetLoadPackingArgs>): PackingSettings {
  const args = { ...TARGET_LOAD_PACKING_DEFAULTS, ...given };
  const cpu = parseQuantity(args.defaultRequests.cpu ?? '0');
  return {
    targetPercent: args.targetUtilization,
    defaultCpuMilli: cpu.ok ? quantityMilliValue(cpu.value) : 0,
    multiplier: Number(args.defaultRequestsMultiplier),
    ...loadSettings(args, true),
  };
}
