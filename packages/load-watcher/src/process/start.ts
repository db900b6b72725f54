import {
  type Clock,
  type ClusterApi,
  ClusterConnectionError,
  HttpClusterApi,
  helpText,
  type Logger,
  loadClusterConnection,
  type MainContext,
  MetricsRegistry,
  maskOptions,
  type RunningProcess,
  SystemClock,
  stopwatchMs,
} from '@catamaran/platform';
import { createLoadWatcherApp } from '../http/load-watcher-app.js';
import { TokenFile, tokenFileProblem } from '../http/token-file.js';
import { expiringTokenNote } from '../providers/connection/token-expiry.js';
import { createProvider } from '../providers/create-provider.js';
import { LoadWatcher } from '../service/load-watcher.js';
import { loadWatcherOptions } from './options.js';
import { type LoadWatcherConfig, readConfig } from './read-config.js';
import { openPort } from './serving.js';

const PROGRAM = {
  name: 'load-watcher',
  summary: 'Serves the real utilisation of the nodes of a cluster at /watcher.',
};

/**
 * The load-watcher as a process: listens first, then reads.
 * @throws UsageError, OperatorError for files of certificate or token, ListenError, ClusterConnectionError.
 */
export async function startLoadWatcher(context: MainContext): Promise<RunningProcess | undefined> {
  const config = readConfig(context);
  if (config === 'help') {
    process.stdout.write(helpText(PROGRAM, loadWatcherOptions));
    return undefined;
  }
  context.log.setLevel(config.logLevel);
  const clock = new SystemClock();
  logNotes(config, { clock, log: context.log });
  const metrics = new MetricsRegistry({ processMetrics: true });
  const { log } = context;
  const watcherToken = await openToken(config, { clock, log });
  await warnOfDebugToken(config, log);
  const cluster = await connectCluster(config, context);
  const watcher = createWatcher(config, { clock, log, metrics, api: cluster?.api });
  const app = createLoadWatcherApp(
    { config: maskOptions(loadWatcherOptions, config.values), debugTokenFile: config.debugTokenFile },
    { watcher, clock, log, metrics, watcherToken },
  );
  const server = await openPort(config.serving, app.listener, { clock, log });
  watcher.start();
  return {
    close: async () => {
      app.drain();
      await Promise.all([server.close(), watcher.close()]);
      await cluster?.close();
    },
  };
}

/** A debug token is no reason not to start. */
async function warnOfDebugToken({ debugTokenFile }: LoadWatcherConfig, log: Logger): Promise<void> {
  const problem = debugTokenFile === undefined ? undefined : await tokenFileProblem(debugTokenFile);
  if (problem === undefined) return;
  log.warn(`--debug-token-file: ${problem}; until then /debug and /configz are only for this machine`);
}

async function openToken(
  { watcherTokenFile }: LoadWatcherConfig,
  deps: { readonly clock: Clock; readonly log: Logger },
): Promise<TokenFile | undefined> {
  return watcherTokenFile === undefined ? undefined : TokenFile.open(watcherTokenFile, deps);
}

function createWatcher(
  config: LoadWatcherConfig,
  deps: {
    readonly clock: Clock;
    readonly log: Logger;
    readonly metrics: MetricsRegistry;
    readonly api: ClusterApi | undefined;
  },
): LoadWatcher {
  const { clock, log, metrics, api } = deps;
  const random = Math.random;
  const provider = createProvider(config.provider, config.timing, { clock, random, api, watchLog: log });
  return new LoadWatcher(config.watcher, { provider, clock, log, metrics, random, stopwatchMs });
}

function logNotes(config: LoadWatcherConfig, deps: { readonly clock: Clock; readonly log: Logger }): void {
  for (const note of config.notes) deps.log.warn(note);
  if (config.provider.name !== 'Prometheus') return;
  const expiring = expiringTokenNote(config.values.metricsProviderToken, deps.clock.nowMs());
  if (expiring !== undefined) deps.log.warn(expiring);
}

/** Who gave neither cluster nor provider may not want the default one. */
function withOtherProviders(error: unknown, config: LoadWatcherConfig, env: MainContext['env']): unknown {
  const given = [config.kubeconfig, env.KUBECONFIG, env.KUBERNETES_SERVICE_HOST];
  const isDefault = config.provider.name === 'KubernetesMetricsServer' && given.every((text) => !text);
  if (!isDefault || !(error instanceof ClusterConnectionError)) return error;
  return new ClusterConnectionError(
    `${error.message}; only the Metrics Server, the default, needs a cluster: METRICS_PROVIDER_NAME=Prometheus does without`,
    { cause: error },
  );
}

async function connectCluster(
  config: LoadWatcherConfig,
  { env, log }: { readonly env: MainContext['env']; readonly log: Logger },
): Promise<{ readonly api: ClusterApi; close(): Promise<void> } | undefined> {
  if (!config.readsCluster) {
    log.warn(
      'node names are taken from labels or host names and not verified: no cluster access is configured',
    );
    return undefined;
  }
  const connection = await loadClusterConnection({ kubeconfigPath: config.kubeconfig, env }).catch(
    (error: unknown) => {
      throw withOtherProviders(error, config, env);
    },
  );
  log.info('cluster', { connection: connection.describe });
  const api = new HttpClusterApi({ connection }, { clock: new SystemClock(), log });
  return { api, close: () => api.close() };
}
