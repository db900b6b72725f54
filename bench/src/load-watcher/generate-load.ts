import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadOrder, LoadResult } from './load-generator.js';

/** Sends requests for as long as ordered, from a process of its own. */
export async function generateLoad(order: LoadOrder): Promise<LoadResult> {
  const child = fork(new URL('./load-generator.js', import.meta.url));
  child.send(order);
  const [result] = (await once(child, 'message')) as [LoadResult];
  child.kill();
  return result;
}

/** A complete request, as it goes over the wire. */
export function requestFor(path: string, encoding: 'gzip' | 'identity'): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
}
