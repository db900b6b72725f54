import { OperatorError } from '@catamaran/platform';
import { parseAllDocuments } from 'yaml';
import { readInputFile } from '../input-file.js';

/**
 * The one object in a file of JSON or YAML; `-` is stdin. Whether it is a pod the scheduler says.
 * @throws OperatorError that names file and remedy.
 */
export async function readPodFile(path: string, stop: AbortSignal): Promise<unknown> {
  const { name, text } = await readInputFile(path, stop);
  const documents = parseAllDocuments(text);
  const [first, second] = Array.isArray(documents) ? documents : [];
  if (first === undefined) throw new OperatorError(`${name} is empty: expected a pod as JSON or YAML`);
  if (second !== undefined) {
    throw new OperatorError(`${name} has more than one document: give a file with one pod`);
  }
  const [problem] = first.errors;
  if (problem !== undefined) throw new OperatorError(`${name}: ${problem.message.trimEnd()}`);
  return first.toJS() as unknown;
}
