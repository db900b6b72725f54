import { maskText } from '@catamaran/platform';
import { loadSchedulerConfig, pluginValidators, readPowerModelFile } from '@catamaran/scheduler';
import { readInputFile } from '../input-file.js';
import type { ConfigOptions } from './options.js';

/** What there is to say about a file, as the scheduler reads it. */
interface Finding {
  readonly file: string;
  readonly ok: boolean;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Checks a scheduler's configuration file and prints everything that is wrong or doubtful about it.
 * @returns exit code: 0 when the scheduler would take it.
 * @throws OperatorError when it can't be read.
 */
export async function checkConfig(
  { path, powerModelPath, output }: Pick<ConfigOptions, 'path' | 'powerModelPath' | 'output'>,
  writeLine: (line: string) => void,
  stop: AbortSignal,
): Promise<0 | 1> {
  const { name, text } = await readInputFile(path, stop);
  const validators = pluginValidators({ powerModelFile: readPowerModelFile(powerModelPath) });
  const loaded = loadSchedulerConfig(text, name, validators);
  const finding: Finding = {
    file: name,
    ok: loaded.ok,
    problems: loaded.ok ? [] : loaded.problems.map(maskText),
    warnings: loaded.warnings.map(maskText),
  };
  const lines = output === 'json' ? [JSON.stringify(finding, undefined, 2)] : findingLines(finding);
  for (const line of lines) writeLine(line);
  return finding.ok ? 0 : 1;
}

function findingLines({ file, ok, problems, warnings }: Finding): string[] {
  const counts = [
    ok ? 'good' : counted(problems.length, 'problem'),
    ...(warnings.length === 0 ? [] : [counted(warnings.length, 'warning')]),
  ];
  return [
    `${file}: ${counts.join(', ')}`,
    ...problems.map((text) => `  problem: ${text}`),
    ...warnings.map((text) => `  warning: ${text.trimEnd().replaceAll('\n', '\n    ')}`),
  ];
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
