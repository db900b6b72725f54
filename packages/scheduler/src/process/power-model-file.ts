import { readFileSync } from 'node:fs';
import { ok, problem, type Result } from '@catamaran/model';

/**
 * The decoded file that NODE_POWER_MODEL names, for `pluginValidators`. Undefined for an empty path. That it can't be
 * read matters only where a profile needs it.
 */
export function readPowerModelFile(path: string): Result<unknown> | undefined {
  if (path === '') {
    return undefined;
  }
  try {
    return ok(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    return problem(`the file of NODE_POWER_MODEL, ${path}, can't be read: ${(error as Error).message}`);
  }
}
