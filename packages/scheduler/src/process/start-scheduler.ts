import {
  HttpClusterApi,
  helpText,
  loadClusterConnection,
  type MainContext,
  MetricsRegistry,
  type RunningProcess,
  SystemClock,
  startHttpServer,
  stopwatchMs,
} from '@catamaran/platform';
import { createSchedulerApp } from '../http/scheduler-app.js';
import { loadSources } from '../service/load-source.js';
import { SchedulerService } from '../service/scheduler-service.js';
import { signalSources } from '../signals/signal-policy.js';
import { type ProcessConfig, readProcessConfig } from './read-process-config.js';
import { schedulerOptions } from './scheduler-options.js';
import { openSecurePort, type SecurePortDeps } from './secure-port.js';
import { createSignalReaders } from './signal-readers.js';
import { versionText } from './version-text.js';
import { createWatcherClients } from './watcher-clients.js';
import { writeConfig } from './write-config.js';

const PROGRAM = {
  name: 'scheduler',
  summary: 'Schedules pods by measured load, beside or instead of kube-scheduler.',
};

/**
 * The scheduler as a process: listens first, then lists and schedules.
 * @throws UsageError, OperatorError, ListenError, ClusterConnectionError.
 */
export async function startScheduler(context: MainContext): Promise<RunningProcess | undefined> {
  const settings = readProcessConfig(context);
  if (settings === 'help') {
    process.stdout.write(helpText(PROGRAM, schedulerOptions));
    return undefined;
  }
  if (settings === 'version' || settings === 'raw version') {
    process.stdout.write(versionText(settings === 'raw version'));
    return undefined;
  }
  const { log } = context;
  log.setLevel(settings.logLevel);
  for (const note of settings.notes) {
    log.warn(note);
  }
  const { writeConfigTo } = settings.values;
  if (writeConfigTo !== '') {
    writeConfig(writeConfigTo, settings);
    log.info('configuration written', { path: writeConfigTo });
    return undefined;
  }
  return await run(settings, context);
}

async function run(settings: ProcessConfig, context: MainContext): Promise<RunningProcess> {
  const { log } = context;
  const { config, values } = settings;
  log.debug('effective configuration', { config });
  const clock = new SystemClock();
  const metrics = new MetricsRegistry({ processMetrics: true });
  const kubeconfigPath = config.clientConnection.kubeconfig || undefined;
  const connection = await loadClusterConnection({ kubeconfigPath, env: context.env });
  log.info('cluster', { connection: connection.describe });
  const api = new HttpClusterApi({ connection, maxConnections: MAX_CONNECTIONS }, { clock, log });
  const watcherClients = createWatcherClients(loadSources(config), {
    api,
    clock,
    log,
    metrics,
    random: Math.random,
    signalfx: { hostNameSuffix: values.signalfxHostNameSuffix, clusterName: values.signalfxClusterName },
  });
  const signalReaders = createSignalReaders(signalSources(config), { clock, random: Math.random });
  const service = new SchedulerService(
    { config, podMaxInUnschedulablePodsMs: values.podMaxInUnschedulablePodsDuration },
    { api, watcherClients, signalReaders, clock, log, metrics, stopwatchMs },
  );
  const ready = [{ name: 'scheduler', problem: () => service.unready }];
  const { explainer } = service;
  const { env } = context;
  const servers = await openPorts(settings, { explainer, metrics, ready, log, clock, connection, env });
  return {
    finished: untilItFails(service.start(), context),
    close: async () => {
      const parts = [service, ...servers, ...watcherClients.values(), ...signalReaders.values()];
      await Promise.all(parts.map((part) => part.close()));
      await api.close();
    },
  };
}

/** As many calls as may be under way: 64 bindings, 1,024 that hang, 48 events, as many conditions, and lists. */
const MAX_CONNECTIONS = 1_280;

/** Closing while it starts is no failure. */
async function untilItFails(started: Promise<void>, { stop }: MainContext): Promise<number> {
  try {
    await started;
  } catch (error) {
    if (!stop.aborted) {
      throw error;
    }
    return 0;
  }
  return await new Promise<number>(() => undefined);
}

async function openPorts(
  settings: ProcessConfig,
  deps: SecurePortDeps,
): Promise<readonly { close(): Promise<void> }[]> {
  const { values, config, plainPort } = settings;
  const secure = values.securePort === 0 ? [] : [await openSecurePort(settings, deps)];
  if (plainPort === undefined) return secure;
  const listener = createSchedulerApp({ config, probesOnly: true }, deps);
  const name = `${PROGRAM.name} (plain probes)`;
  try {
    return [...secure, await startHttpServer({ ...plainPort, listener, name }, deps)];
  } catch (error) {
    await Promise.all(secure.map((port) => port.close()));
    throw error;
  }
}
