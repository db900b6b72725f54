import { maskUserPart, type OptionValues } from '@catamaran/platform';
import type { ProviderSpec } from '../providers/create-provider.js';
import type { loadWatcherOptions } from './options.js';
import type { ProviderName } from './provider-spec.js';

type Values = OptionValues<typeof loadWatcherOptions>;

const REMOTE: readonly ProviderName[] = ['Prometheus', 'SignalFx', 'Datadog'];

/** Things to log at start about the provider: the proxy on the way to it, and options that are not its own. */
export function providerNotes(values: Values, provider: ProviderSpec): readonly string[] {
  const proxy = provider.name === 'KubernetesMetricsServer' ? undefined : provider.connection?.proxyUrl;
  const notes =
    proxy === undefined ? [] : [`${provider.name} is reached through the proxy ${maskUserPart(proxy)}`];
  return [...notes, ...withoutEffect(values, provider.name)];
}

function withoutEffect(values: Values, name: ProviderName): readonly string[] {
  const given: readonly (readonly [string, string | boolean, readonly ProviderName[]])[] = [
    ['--metrics-provider-address', values.metricsProviderAddress, REMOTE],
    ['--metrics-provider-token', values.metricsProviderToken, REMOTE],
    [
      '--enable-openshift-auth',
      values.enableOpenshiftAuth && name !== 'KubernetesMetricsServer',
      ['Prometheus'],
    ],
    ['--prometheus-cpu-query', values.prometheusCpuQuery, ['Prometheus']],
    ['--prometheus-memory-query', values.prometheusMemoryQuery, ['Prometheus']],
    ['--metrics-provider-app-key', values.metricsProviderAppKey, ['Datadog']],
    ['--metrics-provider-app-key-file', values.metricsProviderAppKeyFile, ['Datadog']],
    ['--signalfx-host-name-suffix', values.signalfxHostNameSuffix, ['SignalFx']],
    ['--signalfx-cluster-name', values.signalfxClusterName, ['SignalFx']],
    ['--datadog-host-name-suffix', values.datadogHostNameSuffix, ['Datadog']],
    ['--datadog-cluster-name', values.datadogClusterName, ['Datadog']],
  ];
  return given
    .filter(([, value, owners]) => value !== '' && value !== false && !owners.includes(name))
    .map(([flag]) => `${flag} has no effect with ${name}`);
}
