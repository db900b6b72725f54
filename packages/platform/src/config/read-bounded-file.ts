import { closeSync, readSync } from 'node:fs';
import { ok, problem, type Result } from '@catamaran/model';
import { openRegularFile } from './regular-file.js';

/**
 * A small file as text; what is longer is a problem and never read whole, and so is what is no regular file. `path` may
 * be a file descriptor of anything.
 */
export function readBoundedFile(path: string | number, maxBytes: number): Result<string> {
  try {
    const descriptor = typeof path === 'number' ? path : openRegularFile(path);
    try {
      return readUpTo(descriptor, maxBytes);
    } finally {
      if (typeof path === 'string') closeSync(descriptor);
    }
  } catch (error) {
    return problem((error as Error).message);
  }
}

function readUpTo(descriptor: number, maxBytes: number): Result<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const count = readSync(descriptor, chunk);
    if (count === 0) return ok(Buffer.concat(chunks).toString('utf8'));
    length += count;
    if (length > maxBytes) return problem(`it is longer than ${maxBytes} bytes`);
    chunks.push(chunk.subarray(0, count));
  }
}
