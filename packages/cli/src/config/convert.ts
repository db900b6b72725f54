import { closeSync, constants, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs';
import { maskText, OperatorError } from '@catamaran/platform';
import {
  convertSchedulerConfig,
  documentText,
  pluginValidators,
  readPowerModelFile,
} from '@catamaran/scheduler';
import { readInputFile } from '../input-file.js';
import { counted } from './check.js';
import type { ConfigOptions } from './options.js';

export interface ConvertOutput {
  /** The file itself. */
  readonly write: (text: string) => void;
  /** Warnings, and why there is no file. */
  readonly tell: (line: string) => void;
}

/** It may hold tokens. */
const OWNER_ONLY = 0o600;
/** Never waits for somebody who reads a named pipe. */
const NOW = constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK;

/**
 * Writes a configuration as v1; comments are not kept.
 * @returns exit code: 0 when there is a file.
 * @throws OperatorError when one can't be read or written.
 */
export async function convertConfig(
  { path, powerModelPath, output, outputFile, force }: Omit<ConfigOptions, 'action'>,
  { write, tell }: ConvertOutput,
  stop: AbortSignal,
): Promise<0 | 1> {
  const { name, text } = await readInputFile(path, stop);
  const validators = pluginValidators({ powerModelFile: readPowerModelFile(powerModelPath) });
  const converted = convertSchedulerConfig(text, name, validators);
  for (const warning of converted.warnings) tell(`warning: ${maskText(warning)}`);
  if (!converted.ok) {
    for (const problem of converted.problems) tell(`problem: ${maskText(problem)}`);
    tell(`${name}: not converted, ${counted(converted.problems.length, 'problem')}`);
    return 1;
  }
  const { document } = converted;
  const shown = output === 'json' ? `${JSON.stringify(document, undefined, 2)}\n` : documentText(document);
  if (outputFile === '') write(shown);
  else writeTo(outputFile, shown, force);
  return 0;
}

function writeTo(path: string, text: string, force: boolean): void {
  try {
    const file = openSync(path, force ? NOW | constants.O_TRUNC : NOW | constants.O_EXCL, OWNER_ONLY);
    try {
      if (fstatSync(file).isFile()) fchmodSync(file, OWNER_ONLY);
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      code === 'EEXIST'
        ? `--output-file: ${path} is there already: give another name, or --force to overwrite it`
        : `--output-file: ${path} can't be written: ${message}`,
    );
  }
}
