import {
  type OptionsFile,
  parseOptionsFile,
  placeInFile,
  readTextFileSync,
  type StagedOptions,
  stageOptions,
} from '@catamaran/platform';
import { loadWatcherOptions } from './options.js';

type Env = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  readonly argv: readonly string[];
  readonly env: Env;
}

export interface StagedConfig {
  readonly staged: StagedOptions<typeof loadWatcherOptions>;
  /** The problem of an option, with its place where the configuration file has set it. */
  readonly placed: (problem: string) => string;
}

/** Read by the parts that connect, not by the option table. */
const ALSO_READ: readonly string[] = [
  'KUBECONFIG',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];
/** Nobody else's. */
const OWN_PREFIXES = ['METRICS_PROVIDER_'];
/** A vendor's, or only the beginning of a name of ours. */
const SHARED_PREFIXES = [
  'SIGNALFX_',
  'DATADOG_',
  'ENABLE_OPENSHIFT_',
  'INSECURE_SKIP_',
  'WATCHER_TLS_',
  'WATCHER_TOKEN_',
];

/** Flags, environment and the file that `--config` names; in two passes, since where the file is, is an option itself. */
export function stageConfig(sources: ConfigSources): StagedConfig {
  const all = {
    ...sources,
    alsoReadEnv: ALSO_READ,
    ownEnvPrefixes: OWN_PREFIXES,
    sharedEnvPrefixes: SHARED_PREFIXES,
  };
  const staged = stageOptions(loadWatcherOptions, all);
  const path = staged.values.config;
  if (path === '' || (staged.ok && staged.helpRequested)) return { staged, placed: (problem) => problem };
  const file = readOptionsFile(path);
  const withFile = stageOptions(loadWatcherOptions, { ...all, file });
  return { staged: withFile, placed: (problem) => placedIn(file, withFile, problem) };
}

function readOptionsFile(path: string): OptionsFile {
  try {
    return parseOptionsFile(path, readTextFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = `--config: ${path} can't be read (${code ?? message}): check path and mount`;
    return { path, values: {}, problems: [problem] };
  }
}

function placedIn(file: OptionsFile, { origins }: StagedConfig['staged'], problem: string): string {
  const flag = /^--([\w-]+)/.exec(problem)?.[1];
  for (const [key, { name }] of Object.entries(loadWatcherOptions)) {
    const origin = origins[key as keyof typeof loadWatcherOptions];
    if (name === flag && origin === 'file') return placeInFile(file.path, file.lines?.[key], problem);
  }
  return problem;
}
