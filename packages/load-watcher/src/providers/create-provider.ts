import type { Clock, ClusterApi, Logger } from '@catamaran/platform';
import { NodeCatalogue } from '../nodes/node-catalogue.js';
import { NodeWatch } from '../nodes/node-watch.js';
import { type ConnectionOptions, ProviderConnection } from './connection/provider-connection.js';
import { createHostedProvider, type HostedSpec } from './hosted/create-hosted-provider.js';
import type { MetricsProvider } from './metrics-provider.js';
import { MetricsServerProvider } from './metrics-server/client.js';
import { PrometheusProvider } from './prometheus/client.js';
import type { QueryOptions } from './prometheus/query.js';
import { PrometheusTransport } from './prometheus/transport.js';

export type ProviderSpec =
  | { readonly name: 'KubernetesMetricsServer' }
  | {
      readonly name: 'Prometheus';
      readonly baseUrl: URL;
      readonly connection?: ConnectionOptions;
      readonly queries?: QueryOptions;
    }
  | HostedSpec;

export interface ProviderDeps {
  /** For deadlines and retries of calls: the machine's clock, also where policy time is scaled. */
  readonly clock: Clock;
  readonly random: () => number;
  /** Required by the Metrics Server; the others take the nodes' names from it. */
  readonly api?: ClusterApi | undefined;
  /** Given, nodes are watched rather than listed at each refresh; told when that is not possible. */
  readonly watchLog?: Logger | undefined;
}

const BUILT_IN: QueryOptions = { matcher: '', nodeLabel: undefined, userQueries: {} };

/**
 * @param timing `refreshIntervalMs` is how often the provider will be asked, `callTimeoutMs` the deadline of each
 * query or call.
 * @throws TypeError without a ClusterApi for the Metrics Server.
 */
export function createProvider(
  spec: ProviderSpec,
  timing: { readonly refreshIntervalMs: number; readonly callTimeoutMs?: number },
  deps: ProviderDeps,
): MetricsProvider {
  const { clock, random } = deps;
  const { callTimeoutMs } = timing;
  const nodes = nodesOf(deps, callTimeoutMs);
  if (spec.name === 'KubernetesMetricsServer') {
    if (deps.api === undefined || nodes === undefined)
      throw new TypeError('the Metrics Server is read through the API server; give a ClusterApi');
    return new MetricsServerProvider(timing, { api: deps.api, clock, nodes });
  }
  if (spec.name !== 'Prometheus')
    return createHostedProvider(spec, { clock, random, nodes, timeoutMs: callTimeoutMs });
  const connection = new ProviderConnection(spec.baseUrl, spec.connection ?? {}, { clock });
  const transport = new PrometheusTransport(
    { baseUrl: spec.baseUrl, ...(callTimeoutMs === undefined ? {} : { timeoutMs: callTimeoutMs }) },
    { clock, random, connection },
  );
  return new PrometheusProvider(spec.queries ?? BUILT_IN, {
    transport,
    ...(nodes === undefined ? {} : { nodes }),
  });
}

function nodesOf(deps: ProviderDeps, timeoutMs: number | undefined): NodeCatalogue | undefined {
  const { api, clock, random, watchLog } = deps;
  if (api === undefined) return undefined;
  const watch = watchLog === undefined ? undefined : new NodeWatch({ api, clock, random, log: watchLog });
  return new NodeCatalogue(timeoutMs === undefined ? {} : { timeoutMs }, { api, clock, watch });
}
