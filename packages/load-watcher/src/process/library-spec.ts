import { ok, problem, type Result } from '@catamaran/model';
import { parseBaseUrl } from '../providers/base-url.js';
import type { ProviderSpec } from '../providers/create-provider.js';
import { parseHostedAddress, readHostedSpec } from './hosted-spec.js';
import { DEFAULT_PROMETHEUS_ADDRESS, parseProviderName } from './provider-spec.js';

/** `metricProvider` of the arguments of Trimaran's plugins. */
export interface LibraryProvider {
  readonly type?: string | undefined;
  readonly address?: string | undefined;
  readonly token?: string | undefined;
  readonly insecureSkipVerify?: boolean | undefined;
}

/** Which hosts SignalFx is asked about: like the Go library's, not in the arguments but in the environment. */
export interface LibraryFilter {
  readonly hostNameSuffix: string;
  readonly clusterName: string;
}

/** The provider of a load-watcher that runs inside of another program; a problem begins with the key it is about. */
export function libraryProviderSpec(
  provider: LibraryProvider,
  filter: LibraryFilter = { hostNameSuffix: '', clusterName: '' },
): Result<ProviderSpec> {
  const { type = 'KubernetesMetricsServer', address, token, insecureSkipVerify } = provider;
  const name = parseProviderName(type);
  if (!name.ok) return problem(`type: ${name.problem}; or give watcherAddress`);
  if (name.value === 'KubernetesMetricsServer') return ok({ name: name.value });
  if (name.value === 'Datadog')
    return problem(
      'type: Datadog wants two keys, which do not fit here: run a load-watcher and give watcherAddress',
    );
  const isPrometheus = name.value === 'Prometheus';
  const baseUrl = isPrometheus
    ? parseBaseUrl(address ?? DEFAULT_PROMETHEUS_ADDRESS)
    : parseHostedAddress(name.value, address ?? '');
  if (!baseUrl.ok) return problem(`address: ${baseUrl.problem}`);
  const connection = {
    ...(token === undefined ? {} : { token }),
    ...(insecureSkipVerify === undefined ? {} : { skipTlsVerify: insecureSkipVerify }),
  };
  if (name.value === 'Prometheus') return ok({ name: name.value, baseUrl: baseUrl.value, connection });
  if ((token ?? '') === '') return problem('token: SignalFx wants an access token');
  const problems: string[] = [];
  const base = { name: name.value, baseUrl: baseUrl.value, connection };
  const spec = readHostedSpec(base, { appKey: '', appKeyFile: '', ...filter }, problems);
  return problems.length === 0 ? ok(spec) : problem(`type: SignalFx: ${problems.join('; ')}`);
}
