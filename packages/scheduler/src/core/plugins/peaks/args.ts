import type { Result } from '@catamaran/model';
import type { ArgsOutcome, ArgsValidator } from '../../config/args-validator.js';
import { ArgsReader } from '../../framework/args-reader.js';
import type { ArgumentTexts } from '../../framework/argument-texts.js';
import {
  LOAD_ARGS_DEFAULTS,
  LOAD_ARGUMENTS,
  type LoadArgs,
  type LoadSettings,
  loadSettings,
  readLoadArgs,
} from '../../node-statistics/load-args.js';

/** Power of a node in watts: k0 + k1 * e^(k2 * percent of CPU in use). */
export interface PowerModel {
  /** Says nothing about what one pod more costs. */
  readonly k0: number;
  readonly k1: number;
  readonly k2: number;
}

export type PowerModels = Readonly<Record<string, PowerModel>>;

/** Trimaran's arguments and ours, defaults filled in. */
export interface PeaksArgs extends LoadArgs {
  /** By node name. */
  readonly nodePowerModel: PowerModels;
}

/** Trimaran's spelling of two fields, and ours. */
const OTHER_SPELLINGS = { WatcherAddress: 'watcherAddress', NodePowerModel: 'nodePowerModel' } as const;

/** What the arguments mean. */
export const PEAKS_ARGUMENTS: ArgumentTexts = {
  nodePowerModel:
    '`{node: {k0, k1, k2}}`; k0 has no influence. Without one the file of `NODE_POWER_MODEL` is read',
  ...LOAD_ARGUMENTS,
  WatcherAddress: "Trimaran's spelling of `watcherAddress`",
  NodePowerModel: "Trimaran's spelling of `nodePowerModel`",
};

/**
 * Checks and completes the arguments; an ArgsValidator for the config reader.
 *
 * @param modelFile the decoded file that NODE_POWER_MODEL names, or why there is none: needed where the arguments hold
 * no model.
 */
export function readPeaksArgs(raw: unknown, modelFile?: Result<unknown>): ArgsOutcome {
  const reader = new ArgsReader();
  const given = reader.map(raw, '', Object.keys(PEAKS_ARGUMENTS));
  const fields = withOurSpelling(reader, given);
  const args: PeaksArgs = {
    nodePowerModel: readPowerModels(reader, fields.nodePowerModel, modelFile),
    ...readLoadArgs(reader, fields),
  };
  return reader.outcome(args);
}

/** The validator of a process that was given such a file. */
export function peaksArgsReader(modelFile: Result<unknown> | undefined): ArgsValidator {
  return (raw) => readPeaksArgs(raw, modelFile);
}

function withOurSpelling(
  reader: ArgsReader,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = { ...given };
  for (const [theirs, ours] of Object.entries(OTHER_SPELLINGS)) {
    if (given[theirs] === undefined) continue;
    if (given[ours] !== undefined) reader.problem(theirs, `is given as "${ours}" too: remove one of the two`);
    fields[ours] = given[theirs];
  }
  return fields;
}

function readPowerModels(
  reader: ArgsReader,
  given: unknown,
  modelFile: Result<unknown> | undefined,
): PowerModels {
  const before = reader.problems.length;
  const own = readModels(reader, given, 'nodePowerModel');
  if (Object.keys(own).length > 0 || reader.problems.length > before) return own;
  const problem = modelFile === undefined || modelFile.ok ? undefined : modelFile.problem;
  const models = modelFile?.ok === true ? readModels(reader, modelFile.value, 'NODE_POWER_MODEL') : own;
  if (Object.keys(models).length > 0 || reader.problems.length > before) return models;
  reader.missing('nodePowerModel', problem ?? NO_MODELS);
  return models;
}

const NO_MODELS =
  'there is no power model of any node: give some as {node: {k0: 400, k1: -90, k2: -0.07}}, or a file of them in NODE_POWER_MODEL';

function readModels(reader: ArgsReader, value: unknown, path: string): PowerModels {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const nodes = reader.map(value, path, names);
  return Object.fromEntries(names.map((name) => [name, readModel(reader, nodes[name], `${path}.${name}`)]));
}

function readModel(reader: ArgsReader, value: unknown, path: string): PowerModel {
  const fields = reader.map(value, path, ['k0', 'k1', 'k2']);
  const k1 = reader.number(fields.k1, `${path}.k1`);
  const k2 = reader.number(fields.k2, `${path}.k2`);
  const isIncomplete = value === null || fields.k1 === undefined || fields.k2 === undefined;
  if (isIncomplete && !reader.isReported(path)) {
    reader.warn(path, 'k1 or k2 is missing, which means 0: load is taken to cost no power on this node');
  }
  return { k0: reader.number(fields.k0, `${path}.k0`) ?? 0, k1: k1 ?? 0, k2: k2 ?? 0 };
}

/** The arguments as the plugin uses them. */
export interface PeaksSettings {
  readonly models: ReadonlyMap<string, PowerModel>;
  readonly load: LoadSettings;
}

export function peaksSettings(given: Partial<PeaksArgs>): PeaksSettings {
  const args = { ...LOAD_ARGS_DEFAULTS, ...given };
  return {
    models: new Map(Object.entries(args.nodePowerModel ?? {})),
    load: loadSettings(args, false),
  };
}
