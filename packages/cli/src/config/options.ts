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
    description: 'json: one object {file, ok, problems, warnings}.',
  },
});

export interface ConfigCheckOptions {
  /** `-` is stdin. */
  readonly path: string;
  /** Empty: none. */
  readonly powerModelPath: string;
  readonly output: 'text' | 'json';
}

const ACTIONS = ['check', 'convert'];

/**
 * Reads what is to be done with which file.
 * @returns undefined when help was asked for.
 * @throws UsageError.
 */
export function readConfigCheckOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ConfigCheckOptions | undefined {
  const staged = stageOptions(CONFIG_OPTIONS, { argv, env, allowPositionals: true });
  if (!staged.ok) throw new UsageError(staged.problems);
  if (staged.helpRequested) return undefined;
  const [action, path, ...more] = staged.positionals;
  const problem = usageProblem(action, path, more);
  if (problem !== undefined || path === undefined) throw new UsageError([problem ?? '']);
  const { nodePowerModel, output } = staged.values;
  return { path, powerModelPath: nodePowerModel, output };
}

function usageProblem(
  action: string | undefined,
  path: string | undefined,
  more: readonly string[],
): string | undefined {
  if (action === 'convert') {
    return "convert is not built yet: set apiVersion by hand, then let 'catamaran config check' say what is left";
  }
  if (action === undefined) return 'say what to do: config check FILE';
  if (action !== 'check') return `${action}: config knows no such action${didYouMean(action, ACTIONS)}`;
  if (path === undefined) return 'no file given: name a KubeSchedulerConfiguration, or - for stdin';
  return more.length === 0 ? undefined : `${more.join(' ')}: unexpected; one file at a time is checked`;
}
