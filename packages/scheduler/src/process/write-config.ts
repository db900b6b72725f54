import { writeFileSync } from 'node:fs';
import { OperatorError } from '@catamaran/platform';
import { effectiveConfigText } from '../config/effective-document.js';
import type { ProcessConfig } from './read-process-config.js';

/** It may hold tokens. */
const OWNER_ONLY = 0o600;

/** Writes what would run, as a v1 file. @throws OperatorError when it can't be written. */
export function writeConfig(path: string, { config, document }: ProcessConfig): void {
  try {
    writeFileSync(path, effectiveConfigText(config, document), { mode: OWNER_ONLY });
  } catch (error) {
    throw new OperatorError(`--write-config-to: ${path} can't be written: ${(error as Error).message}`);
  }
}
