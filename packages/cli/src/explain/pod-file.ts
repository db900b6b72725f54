import { readFileSync } from 'node:fs';
import { OperatorError } from '@catamaran/platform';
import { parseAllDocuments } from 'yaml';

/** File descriptor of stdin. */
const STDIN = 0;

/**
 * The one object in a file of JSON or YAML; `-` is stdin. Whether it is a pod the scheduler says.
 * @throws OperatorError that names file and remedy.
 */
export function readPodFile(path: string): unknown {
  const shown = path === '-' ? 'stdin' : path;
  const documents = parseAllDocuments(textOf(path, shown));
  const [first, second] = Array.isArray(documents) ? documents : [];
  if (first === undefined) throw new OperatorError(`${shown} is empty: expected a pod as JSON or YAML`);
  if (second !== undefined) {
    throw new OperatorError(`${shown} has more than one document: give a file with one pod`);
  }
  const [problem] = first.errors;
  if (problem !== undefined) throw new OperatorError(`${shown}: ${problem.message.trimEnd()}`);
  return first.toJS() as unknown;
}

function textOf(path: string, shown: string): string {
  try {
    return readFileSync(path === '-' ? STDIN : path, 'utf8');
  } catch (error) {
    throw new OperatorError(`${shown} can't be read: ${(error as Error).message}`);
  }
}
