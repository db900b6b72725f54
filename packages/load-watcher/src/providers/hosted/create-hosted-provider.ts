import type { Clock } from '@catamaran/platform';
import type { NodeSource } from '../../nodes/node-catalogue.js';
import { type ConnectionOptions, ProviderConnection } from '../connection/provider-connection.js';
import { DatadogSource } from '../datadog/client.js';
import { SignalFxSource } from '../signalfx/client.js';
import { ApiClient } from './api-client.js';
import { Credential } from './credential.js';
import { HostedProvider } from './hosted-provider.js';
import type { HostedSource } from './reading.js';

/** What is asked of a metrics service outside of the cluster, where, and as whom. */
export interface HostedSpec {
  readonly name: 'SignalFx' | 'Datadog';
  readonly baseUrl: URL;
  /** `token` and `tokenFile` are SignalFx' access token, Datadog's API key. */
  readonly connection: ConnectionOptions;
  /** Datadog's application key. */
  readonly appKey?: string | undefined;
  readonly appKeyFile?: string | undefined;
  readonly hostNameSuffix?: string;
  readonly clusterName?: string;
}

export interface HostedDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly nodes?: NodeSource | undefined;
  readonly timeoutMs?: number | undefined;
}

export function createHostedProvider(spec: HostedSpec, deps: HostedDeps): HostedProvider {
  const { hostNameSuffix = '', clusterName = '' } = spec;
  const api = createApi(spec, deps);
  const filter = { hostNameSuffix, clusterName };
  const source: HostedSource =
    spec.name === 'SignalFx' ? new SignalFxSource({ filter }, api) : new DatadogSource({ filter }, api);
  const { nodes } = deps;
  return new HostedProvider({ hostNameSuffix }, { source, ...(nodes === undefined ? {} : { nodes }) });
}

function createApi(spec: HostedSpec, { clock, random, timeoutMs }: HostedDeps): ApiClient {
  const { baseUrl, connection, name } = spec;
  const { token, tokenFile, headers, ...tls } = connection;
  const credential = (what: string, text: string | undefined, file: string | undefined): Credential =>
    new Credential({ what, text, file }, clock);
  const credentials =
    name === 'SignalFx'
      ? { 'x-sf-token': credential('the access token of SignalFx', token, tokenFile) }
      : {
          'dd-api-key': credential('the API key of Datadog', token, tokenFile),
          'dd-application-key': credential('the application key of Datadog', spec.appKey, spec.appKeyFile),
        };
  return new ApiClient(
    {
      baseUrl,
      credentials,
      refusedRemedy: REFUSED[name],
      ...(headers === undefined ? {} : { headers }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    },
    { clock, random, connection: new ProviderConnection(baseUrl, { ...tls, peer: name }, { clock }) },
  );
}

const REFUSED = {
  SignalFx:
    'it does not accept the access token: see --metrics-provider-token-file, --metrics-provider-token; the token needs the API scope, and the address the realm of the organisation',
  Datadog:
    'it does not accept the keys: see --metrics-provider-token-file, --metrics-provider-token (API key) and --metrics-provider-app-key-file, --metrics-provider-app-key (application key with timeseries_query); the address must be of the site of the organisation',
} as const;
