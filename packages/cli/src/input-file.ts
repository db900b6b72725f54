import { readFileSync } from 'node:fs';
import { OperatorError } from '@catamaran/platform';

/** File descriptor of stdin. */
const STDIN = 0;

export interface InputFile {
  /** As messages name it. */
  readonly name: string;
  readonly text: string;
}

/** A file that a user names; `-` is stdin. @throws OperatorError that names the file. */
export function readInputFile(path: string): InputFile {
  const name = path === '-' ? 'stdin' : path;
  try {
    return { name, text: readFileSync(path === '-' ? STDIN : path, 'utf8') };
  } catch (error) {
    throw new OperatorError(`${name} can't be read: ${(error as Error).message}`);
  }
}
