import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { OperatorError } from '@catamaran/platform';
import { effectiveConfigText } from '../config/effective-document.js';
import type { ProcessConfig } from './read-process-config.js';

/** It may hold tokens. */
const OWNER_ONLY = 0o600;

/** Never waits for somebody who reads a named pipe. */
const NOW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;

/** Writes what would run, as a v1 file. @throws OperatorError when it can't be written. */
export function writeConfig(path: string, { config, document }: ProcessConfig): void {
  try {
    const file = openSync(path, NOW, OWNER_ONLY);
    try {
      writeFileSync(file, effectiveConfigText(config, document));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new OperatorError(`--write-config-to: ${path} can't be written: ${(error as Error).message}`);
  }
}
