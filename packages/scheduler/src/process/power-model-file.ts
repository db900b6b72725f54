import { ok, problem, type Result } from '@catamaran/model';
import { readBoundedFile } from '@catamaran/platform';

/** Some 100 bytes a node. */
const MAX_BYTES = 4_194_304;

/**
 * The decoded file that NODE_POWER_MODEL names, for `pluginValidators`. Undefined for an empty path. That it can't be
 * read matters only where a profile needs it.
 */
export function readPowerModelFile(path: string): Result<unknown> | undefined {
  if (path === '') {
    return undefined;
  }
  const read = readBoundedFile(path, MAX_BYTES);
  const parsed = read.ok ? parseJson(read.value) : read;
  return parsed.ok
    ? parsed
    : problem(`the file of NODE_POWER_MODEL, ${path}, can't be read: ${parsed.problem}`);
}

function parseJson(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return problem((error as Error).message);
  }
}
