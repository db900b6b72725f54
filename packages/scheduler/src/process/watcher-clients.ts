import {
  createProvider,
  type LibraryFilter,
  LoadWatcher,
  libraryProviderSpec,
  type ProviderSpec,
} from '@catamaran/load-watcher';
import {
  HttpWatcherClient,
  LibraryWatcherClient,
  type WatcherClient,
  type WatcherState,
} from '@catamaran/load-watcher/client';
import {
  type Clock,
  type ClusterApi,
  type Logger,
  type MetricsRegistry,
  OperatorError,
} from '@catamaran/platform';
import type { LoadSource } from '../service/load-source.js';
import { argsLogger, inArgsWords, sayingArgs } from './args-vocabulary.js';

export interface WatcherClientDeps {
  readonly api: ClusterApi;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  readonly random: () => number;
  /** Which hosts a `metricProvider` of type SignalFx is asked about. */
  readonly signalfx?: LibraryFilter;
}

/** The Go library's: a refresh a minute, figures served for as long as `metricsMaxAge` lets them count. */
const IN_PROCESS = { refreshIntervalMs: 60_000, maxAgeMs: 0 };

/**
 * A client for each source: over HTTP where a load-watcher's address is given, else a watcher in this process.
 * @throws OperatorError when a source names a provider or a CA file that can't be used.
 */
export function createWatcherClients(
  sources: readonly LoadSource[],
  deps: WatcherClientDeps,
): ReadonlyMap<string, WatcherClient> {
  return new Map(sources.map((source) => [source.key, createClient(source, deps)]));
}

function createClient(source: LoadSource, deps: WatcherClientDeps): WatcherClient {
  const { watcherAddress, watcherTokenFile, watcherCaFile } = source;
  if (watcherAddress !== undefined) {
    return new HttpWatcherClient({ addresses: [watcherAddress], watcherTokenFile, watcherCaFile }, deps);
  }
  const spec = providerSpec(source, deps.signalfx);
  const provider = sayingArgs(() => createProvider(spec, IN_PROCESS, deps));
  const watcher = new LoadWatcher(IN_PROCESS, {
    ...deps,
    provider,
    log: argsLogger(deps.log).with({ loadSource: source.key }),
  });
  return inArgs(new LibraryWatcherClient(watcher, deps));
}

/** Its failures in the words of plugin arguments. */
function inArgs(client: WatcherClient): WatcherClient {
  const said = (state: WatcherState): WatcherState => {
    const { lastFailure } = state;
    return lastFailure === undefined
      ? state
      : { ...state, lastFailure: { ...lastFailure, message: inArgsWords(lastFailure.message) } };
  };
  return {
    current: () => said(client.current()),
    refresh: async (signal) => said(await client.refresh(signal)),
    close: () => client.close(),
  };
}

function providerSpec({ metricProvider }: LoadSource, signalfx: LibraryFilter | undefined): ProviderSpec {
  const spec = libraryProviderSpec(metricProvider ?? {}, signalfx);
  if (!spec.ok) throw new OperatorError(`metricProvider.${spec.problem}`);
  return spec.value;
}
