import { OperatorError, readBoundedFile } from '@catamaran/platform';

/** File descriptor of stdin. */
const STDIN = 0;
/** The API server takes objects of 3 MiB. */
const MAX_BYTES = 4_194_304;

export interface InputFile {
  /** As messages name it. */
  readonly name: string;
  readonly text: string;
}

/** A file that a user names; `-` is stdin. @throws OperatorError that names the file. */
export function readInputFile(path: string): InputFile {
  const name = path === '-' ? 'stdin' : path;
  const read = readBoundedFile(path === '-' ? STDIN : path, MAX_BYTES);
  if (!read.ok) throw new OperatorError(`${name} can't be read: ${read.problem}`);
  return { name, text: read.value };
}
