import { defineOptions, didYouMean, stageOptions, UsageError } from '@catamaran/platform';

export const CONFIG_OPTIONS = defineOptions({
  nodePowerModel: {
    name: 'node-power-model',
    env: 'NODE_POWER_MODEL',
    type: 'string',
    default: '',
    description: 'JSON file of power models that the scheduler will be given, for profiles with Peaks.',
  },
  output: {
    name: 'output',
    type: 'string',
    choices: ['text', 'json'],
    default: 'text',
    description: 'json: of check one object {file, ok, problems, warnings}, of convert the file as JSON.',
  },
  outputFile: {
    name: 'output-file',
    type: 'string',
    default: '',
    description: 'Where convert writes the file; by default to standard output.',
  },
  force: {
    name: 'force',
    type: 'boolean',
    default: false,
    description: 'Overwrite --output-file where there is one.',
  },
});

export interface ConfigOptions {
  readonly action: 'check' | 'convert';
  /** `-` is stdin. */
  readonly path: string;
  /** Empty: none. */
  readonly powerModelPath: string;
  readonly output: 'text' | 'json';
  /** Empty: standard output. */
  readonly outputFile: string;
  /** An output file that is there is overwritten. */
  readonly force: boolean;
}

const ACTIONS = ['check', 'convert'] as const;

/**
 * Reads what is to be done with which file.
 * @returns undefined when help was asked for.
 * @throws UsageError.
 */
export function readConfigOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ConfigOptions | undefined {
  const staged = stageOptions(CONFIG_OPTIONS, { argv, env, allowPositionals: true });
  if (!staged.ok) throw new UsageError(staged.problems);
  if (staged.helpRequested) return undefined;
  const [word, path, ...more] = staged.positionals;
  const action = ACTIONS.find((known) => known === word);
  const problem = usageProblem(word, path, more);
  if (problem !== undefined || path === undefined || action === undefined) {
    throw new UsageError([problem ?? '']);
  }
  const { nodePowerModel, output, outputFile, force } = staged.values;
  return { action, path, powerModelPath: nodePowerModel, output, outputFile, force };
}

function usageProblem(
  action: string | undefined,
  path: string | undefined,
  more: readonly string[],
): string | undefined {
  if (action === undefined) return 'say what to do: config check FILE, or config convert FILE';
  if (!ACTIONS.some((known) => known === action)) {
    return `${action}: config knows no such action${didYouMean(action, ACTIONS)}`;
  }
  if (path === undefined) return 'no file given: name a KubeSchedulerConfiguration, or - for stdin';
  return more.length === 0 ? undefined : `${more.join(' ')}: unexpected; one file at a time`;
}
