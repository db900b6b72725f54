import type { Result } from '@catamaran/model';
import {
  formatDuration,
  type LogLevel,
  logLevelOf,
  type OptionValues,
  proxyFor,
  proxyVariables,
  UsageError,
} from '@catamaran/platform';
import { parseBaseUrl } from '../providers/base-url.js';
import { type ConnectionOptions, credentialProblems } from '../providers/connection/provider-connection.js';
import { parseProxyUrl } from '../providers/connection/proxy.js';
import type { ProviderSpec } from '../providers/create-provider.js';
import type { LoadWatcherOptions } from '../service/load-watcher-options.js';
import { settleAlternatives } from './alternatives.js';
import { type HostedTexts, parseHostedAddress, readHostedSpec } from './hosted-spec.js';
import type { loadWatcherOptions } from './options.js';
import { providerNotes } from './provider-notes.js';
import {
  DEFAULT_PROMETHEUS_ADDRESS,
  type ProviderName,
  parseProviderName,
  parseQueryOptions,
} from './provider-spec.js';
import { type ServingConfig, servingNotes, servingOf, servingProblems } from './serving.js';
import { type ConfigSources, stageConfig } from './stage-config.js';

type Values = OptionValues<typeof loadWatcherOptions>;

/** Checked options, in the terms of the parts that use them. */
export interface LoadWatcherConfig {
  readonly values: Values;
  readonly notes: readonly string[];
  readonly logLevel: LogLevel;
  readonly serving: ServingConfig;
  readonly watcherTokenFile: string | undefined;
  readonly debugTokenFile: string | undefined;
  readonly kubeconfig: string | undefined;
  /** Whether the API server is needed. */
  readonly readsCluster: boolean;
  readonly provider: ProviderSpec;
  readonly watcher: LoadWatcherOptions;
  readonly timing: { readonly refreshIntervalMs: number; readonly callTimeoutMs: number };
}

type Env = ConfigSources['env'];

/** Files of a pod on OpenShift. */
const OPENSHIFT_CA = '/var/run/secrets/kubernetes.io/serviceaccount/service-ca.crt';
const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** @throws UsageError with all problems at once. */
export function readConfig(sources: ConfigSources): LoadWatcherConfig | 'help' {
  const { staged, placed } = stageConfig(sources);
  if (staged.ok && staged.helpRequested) return 'help';
  const { values, ...settled } = settleAlternatives(staged.values, staged.origins);
  const problems = [...servingProblems(values), ...settled.problems, ...ageProblems(values)];
  const provider = readProvider(values, sources.env, problems);
  const logLevel = logLevelOf(values.logLevel);
  if (logLevel === undefined) {
    problems.push(`--log-level: ${JSON.stringify(values.logLevel)} is not one of debug, info, warn, error`);
  }
  if (!staged.ok || provider === undefined || logLevel === undefined || problems.length > 0) {
    throw new UsageError([...(staged.ok ? [] : staged.problems), ...problems.map(placed)]);
  }
  return {
    values,
    notes: [...staged.notes, ...settled.notes, ...providerNotes(values, provider), ...servingNotes(values)],
    logLevel,
    serving: servingOf(values),
    watcherTokenFile: values.watcherTokenFile || undefined,
    debugTokenFile: values.debugTokenFile || undefined,
    kubeconfig: values.kubeconfig || undefined,
    readsCluster: provider.name === 'KubernetesMetricsServer' || readsNodes(values, sources.env),
    provider,
    watcher: {
      refreshIntervalMs: values.refreshInterval,
      maxAgeMs: values.maxAge,
      jitterRatio: values.refreshJitter,
    },
    timing: { refreshIntervalMs: values.refreshInterval, callTimeoutMs: values.queryTimeout },
  };
}

/** Between two refreshes there would be nothing to serve. */
function ageProblems({ refreshInterval, maxAge }: Values): readonly string[] {
  if (maxAge === 0 || refreshInterval < maxAge) return [];
  const [interval, age] = [formatDuration(refreshInterval), formatDuration(maxAge)];
  return [
    `--refresh-interval: ${interval} is not below --max-age, ${age}: figures would be too old before the next come; lower it or raise --max-age`,
  ];
}

function readProvider(values: Values, env: Env, problems: string[]): ProviderSpec | undefined {
  const name = parseProviderName(values.metricsProviderName);
  if (!name.ok) problems.push(`--metrics-provider-name (METRICS_PROVIDER_NAME): ${name.problem}`);
  const baseUrl = parseAddress(name.ok ? name.value : 'Prometheus', values.metricsProviderAddress);
  const usesAddress = !name.ok || name.value !== 'KubernetesMetricsServer';
  if (!baseUrl.ok && usesAddress)
    problems.push(`--metrics-provider-address (METRICS_PROVIDER_ADDRESS): ${baseUrl.problem}`);
  const queries = parseQueryOptions({
    cpuQuery: values.prometheusCpuQuery,
    cpuUnit: values.prometheusCpuUnit,
    memoryQuery: values.prometheusMemoryQuery,
    memoryUnit: values.prometheusMemoryUnit,
    matcher: values.prometheusMatcher,
    nodeLabel: values.prometheusNodeLabel,
  });
  if (!queries.ok) problems.push(...queries.problems);
  if ((values.metricsProviderCertFile === '') !== (values.metricsProviderKeyFile === '')) {
    problems.push('--metrics-provider-cert-file, --metrics-provider-key-file: give both or none');
  }
  problems.push(...credentialProblems(connectionOf(values)));
  const proxyUrl = baseUrl.ok && usesAddress ? readProxy(baseUrl.value, env, problems) : undefined;
  if (!name.ok || !queries.ok) return undefined;
  if (name.value === 'KubernetesMetricsServer') return { name: name.value };
  if (!baseUrl.ok) return undefined;
  const base = { baseUrl: baseUrl.value, connection: { ...connectionOf(values), proxyUrl } };
  if (name.value === 'Prometheus') return { name: name.value, ...base, queries: queries.value };
  return readHostedSpec({ name: name.value, ...base }, hostedTexts(name.value, values), problems);
}

function parseAddress(name: ProviderName, text: string): Result<URL> {
  return name === 'SignalFx' || name === 'Datadog'
    ? parseHostedAddress(name, text)
    : parseBaseUrl(text || DEFAULT_PROMETHEUS_ADDRESS);
}

function hostedTexts(name: 'SignalFx' | 'Datadog', values: Values): HostedTexts {
  const isSignalFx = name === 'SignalFx';
  return {
    appKey: values.metricsProviderAppKey,
    appKeyFile: values.metricsProviderAppKeyFile,
    hostNameSuffix: isSignalFx ? values.signalfxHostNameSuffix : values.datadogHostNameSuffix,
    clusterName: isSignalFx ? values.signalfxClusterName : values.datadogClusterName,
  };
}

function readProxy(baseUrl: URL, env: Env, problems: string[]): string | undefined {
  const text = proxyFor(baseUrl, proxyVariables(env));
  if (text === undefined) return undefined;
  const proxy = parseProxyUrl(text);
  if (proxy.ok) return proxy.value;
  problems.push(`${baseUrl.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'}: ${proxy.problem}`);
  return undefined;
}

function connectionOf(values: Values): ConnectionOptions {
  const openshift = values.enableOpenshiftAuth && values.metricsProviderName === 'Prometheus';
  const given = values.metricsProviderToken !== '' || values.metricsProviderTokenFile !== '';
  return {
    token: values.metricsProviderToken || undefined,
    tokenFile: values.metricsProviderTokenFile || (openshift && !given ? SERVICE_ACCOUNT_TOKEN : undefined),
    headers: values.metricsProviderHeaders,
    skipTlsVerify: values.insecureSkipVerify && !openshift,
    caFile: values.metricsProviderCaFile || (openshift ? OPENSHIFT_CA : undefined),
    certFile: values.metricsProviderCertFile || undefined,
    keyFile: values.metricsProviderKeyFile || undefined,
  };
}

function readsNodes(values: Values, env: Env): boolean {
  if (values.nodeNames !== 'auto') return values.nodeNames === 'cluster';
  return [values.kubeconfig, env.KUBECONFIG, env.KUBERNETES_SERVICE_HOST].some((text) => (text ?? '') !== '');
}
