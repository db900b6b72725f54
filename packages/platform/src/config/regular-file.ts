import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** Never waits for somebody to write into a named pipe. */
const READ_NOW = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * The text of a file. What may have no end or nobody at its other side, such as a named pipe, is not waited for.
 * @throws Error of the system, or one that says what is there instead of a file.
 */
export async function readTextFile(path: string): Promise<string> {
  const file = await open(path, READ_NOW);
  try {
    requireRegular(await file.stat());
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** The same at once; for what is read while a process starts. @throws as `readTextFile`. */
export function readTextFileSync(path: string): string {
  const descriptor = openRegularFile(path);
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** A descriptor to close. @throws as `readTextFile`. */
export function openRegularFile(path: string): number {
  const descriptor = openSync(path, READ_NOW);
  try {
    requireRegular(fstatSync(descriptor));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function requireRegular(stats: Stats): void {
  if (!stats.isFile()) throw new Error(`it is ${kindOf(stats)}, not a regular file`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
