import { addAbortSignal } from 'node:stream';
import { OperatorError, readBoundedFile } from '@catamaran/platform';

/** The API server takes objects of 3 MiB. */
const MAX_BYTES = 4_194_304;
const STDIN = new Set(['-', '/dev/stdin', '/dev/fd/0']);
/** What `<(command)` of a shell stands for: a pipe that is open already. */
const OPEN_DESCRIPTOR = /^\/dev\/fd\/(\d+)$/;

export interface InputFile {
  /** As messages name it. */
  readonly name: string;
  readonly text: string;
}

/** A file that a user names; `-` is stdin. @throws OperatorError that names the file, or the signal's reason. */
export async function readInputFile(path: string, stop: AbortSignal): Promise<InputFile> {
  if (STDIN.has(path)) return { name: 'stdin', text: await readStdin(stop) };
  const descriptor = OPEN_DESCRIPTOR.exec(path)?.[1];
  const read = readBoundedFile(descriptor === undefined ? path : Number(descriptor), MAX_BYTES);
  if (!read.ok) throw new OperatorError(`${path} can't be read: ${read.problem}`);
  return { name: path, text: read.value };
}

async function readStdin(stop: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of addAbortSignal(stop, process.stdin)) {
      length += (chunk as Buffer).length;
      if (length > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    stop.throwIfAborted();
    throw new OperatorError(`stdin can't be read: ${(error as Error).message}`);
  }
  return Buffer.concat(chunks).toString('utf8');
}
