import {
  type LogLevel,
  OperatorError,
  type OptionValues,
  readBoundedFile,
  type StagedOptions,
  stageOptions,
  UsageError,
} from '@catamaran/platform';
import { defaultSchedulerConfig, loadSchedulerConfig } from '../config/load-scheduler-config.js';
import { MAX_CONFIG_BYTES } from '../config/parse-source.js';
import { pluginValidators } from '../config/plugin-args/plugin-validators.js';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import { readPowerModelFile } from './power-model-file.js';
import { schedulerOptions } from './scheduler-options.js';

type Values = OptionValues<typeof schedulerOptions>;
type Staged = Extract<StagedOptions<typeof schedulerOptions>, { readonly ok: true }>;

/** Options and configuration file together, checked. */
export interface ProcessConfig {
  readonly config: SchedulerConfig;
  /** The configuration file as v1 has it; undefined without one. */
  readonly document: unknown;
  readonly values: Values;
  readonly logLevel: LogLevel;
  /** Things to say at start. */
  readonly notes: readonly string[];
  /** Where the plain HTTP port of the deprecated flags is wanted. */
  readonly plainPort: { readonly host: string; readonly port: number } | undefined;
  /** Whoever asks from this machine without credentials may read everything. */
  readonly allowLocalRequests: boolean;
}

/** From this klog verbosity on there are lines about single pods. */
const DEBUG_VERBOSITY = 4;
/** kube-scheduler's insecure port of old, which probes of old manifests ask. */
const OLD_INSECURE_PORT = 10_251;
const NOT_BUILT_MODES = ['extender', 'shadow'];

/**
 * @throws UsageError for flags, OperatorError for the configuration file; each with all problems at once.
 */
export function readProcessConfig(sources: {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}): ProcessConfig | 'help' | 'version' | 'raw version' {
  const staged = stageOptions(schedulerOptions, { ...sources, alsoReadEnv: ['KUBECONFIG'] });
  if (staged.ok && staged.helpRequested) {
    return 'help';
  }
  const { values } = staged;
  if (values.version === 'true') return 'version';
  if (values.version === 'raw') return 'raw version';
  const own = [...modeProblems(values.mode), ...certificateProblems(values)];
  if (!staged.ok || own.length > 0) {
    throw new UsageError([...(staged.ok ? [] : staged.problems), ...own]);
  }
  const file =
    values.config === ''
      ? { config: defaultSchedulerConfig(), document: undefined, warnings: [] }
      : readConfigFile(values.config, values.nodePowerModel);
  const config = withFlags(file.config, staged);
  const election = config.leaderElection.leaderElect
    ? [
        'leader election is not built yet: it runs unelected, so only one replica is allowed (--leader-elect=false says so)',
      ]
    : [];
  return {
    config,
    document: file.document,
    values,
    logLevel: values.verbosity >= DEBUG_VERBOSITY ? 'debug' : 'info',
    notes: [...staged.notes, ...oldTlsNotes(values), ...file.warnings, ...election],
    plainPort: plainPortOf(staged),
    allowLocalRequests: allowsLocalRequests(staged),
  };
}

function modeProblems(mode: string): readonly string[] {
  if (mode === 'standalone') {
    return [];
  }
  return NOT_BUILT_MODES.includes(mode)
    ? [`--mode: ${mode} is not built yet: use standalone`]
    : [`--mode: "${mode}" is not one of standalone, ${NOT_BUILT_MODES.join(', ')}`];
}

function certificateProblems({ tlsCertFile, tlsPrivateKeyFile }: Values): readonly string[] {
  return (tlsCertFile === '') === (tlsPrivateKeyFile === '')
    ? []
    : ['--tls-cert-file, --tls-private-key-file: give both or none'];
}

function oldTlsNotes({ tlsMinVersion }: Values): readonly string[] {
  return /10$|11$/.test(tlsMinVersion)
    ? [`--tls-min-version=${tlsMinVersion}: older versions than TLS 1.2 are not served`]
    : [];
}

function readConfigFile(
  path: string,
  powerModelPath: string,
): {
  readonly config: SchedulerConfig;
  readonly document: unknown;
  readonly warnings: readonly string[];
} {
  const read = readBoundedFile(path, MAX_CONFIG_BYTES);
  if (!read.ok) throw new OperatorError(`--config: ${path} can't be read: ${read.problem}`);
  const loaded = loadSchedulerConfig(
    read.value,
    path,
    pluginValidators({ powerModelFile: readPowerModelFile(powerModelPath) }),
  );
  if (!loaded.ok) {
    const count = loaded.problems.length === 1 ? '1 problem' : `${loaded.problems.length} problems`;
    throw new OperatorError(
      [`${count} in ${path}:`, ...loaded.problems.map((line) => `  ${line}`)].join('\n'),
    );
  }
  return loaded;
}

/** A flag that was given beats the file. */
function withFlags(config: SchedulerConfig, { values, origins }: Staged): SchedulerConfig {
  const { clientConnection, leaderElection, profiles } = config;
  return Object.freeze({
    ...config,
    clientConnection: {
      ...clientConnection,
      kubeconfig: values.kubeconfig || clientConnection.kubeconfig,
      qps: orClientGo(values.kubeApiQps, 5) ?? clientConnection.qps,
      burst: orClientGo(values.kubeApiBurst, 10) ?? clientConnection.burst,
    },
    leaderElection: {
      ...leaderElection,
      leaderElect: origins.leaderElect === 'default' ? leaderElection.leaderElect : values.leaderElect,
    },
    profiles: renamed(profiles, values.schedulerName),
  });
}

/** In client-go 0 asks for its default. In the file it asks for kube-scheduler's, see `effectiveClientConnection`. */
function orClientGo(value: number | undefined, fallback: number): number | undefined {
  return value === 0 ? fallback : value;
}

function renamed(profiles: SchedulerConfig['profiles'], schedulerName: string): SchedulerConfig['profiles'] {
  if (schedulerName === '') {
    return profiles;
  }
  if (profiles.length > 1) {
    throw new UsageError([
      `--scheduler-name: the config file has ${profiles.length} profiles, so it can't be told which one is meant`,
    ]);
  }
  return profiles.map((profile) => ({ ...profile, schedulerName }));
}

/** Whoever sets up who may read the port means everybody. */
function allowsLocalRequests({ values, origins }: Staged): boolean {
  const { authenticationKubeconfig, authorizationKubeconfig, clientCaFile, allowLocalRequests } = values;
  const isSetUp = [authenticationKubeconfig, authorizationKubeconfig, clientCaFile].some(
    (path) => path !== '',
  );
  return isSetUp && origins.allowLocalRequests === 'default' ? false : allowLocalRequests;
}

function plainPortOf({ values, origins }: Staged): ProcessConfig['plainPort'] {
  const port = values.port ?? (origins.address === 'flag' ? OLD_INSECURE_PORT : 0);
  return port === 0 ? undefined : { host: values.address || '0.0.0.0', port };
}
