import type { OptionSpec } from '@catamaran/platform';
import { hostedOptions } from './hosted-options.js';
import { loadWatcherOptions } from './options.js';
import { prometheusOptions } from './prometheus-options.js';
import type { ProviderName } from './provider-spec.js';

type Key = keyof typeof loadWatcherOptions;

const REMOTE: readonly Key[] = [
  'metricsProviderAddress',
  'metricsProviderToken',
  'metricsProviderTokenFile',
  'metricsProviderHeaders',
  'insecureSkipVerify',
  'metricsProviderCaFile',
  'metricsProviderCertFile',
  'metricsProviderKeyFile',
  'nodeNames',
];

/** The options that have an effect with a provider, beyond those that all share; the tables of the docs come from here. */
export const PROVIDER_OPTIONS: Readonly<Record<ProviderName, readonly Key[]>> = {
  KubernetesMetricsServer: ['kubeconfig'],
  Prometheus: [...REMOTE, 'enableOpenshiftAuth', 'kubeconfig', ...keysOf(prometheusOptions)],
  SignalFx: [...REMOTE, 'kubeconfig', ...hostedKeys('signalfx')],
  Datadog: [...REMOTE, 'kubeconfig', ...hostedKeys('metricsProviderApp'), ...hostedKeys('datadog')],
};

/** Flags that are given and belong to other providers only. */
export function optionsWithoutEffect(
  values: Readonly<Record<Key, unknown>>,
  name: ProviderName,
): readonly string[] {
  const others = new Set(Object.values(PROVIDER_OPTIONS).flat());
  return keysOf(loadWatcherOptions)
    .filter((key) => others.has(key) && !PROVIDER_OPTIONS[name].includes(key))
    .filter((key) => !isDefault(values[key], loadWatcherOptions[key]))
    .map((key) => `--${loadWatcherOptions[key].name}`);
}

function isDefault(value: unknown, spec: OptionSpec): boolean {
  return value === undefined || JSON.stringify(value) === JSON.stringify(spec.default);
}

function keysOf<T extends object>(table: T): readonly (keyof T)[] {
  return Object.keys(table) as (keyof T)[];
}

function hostedKeys(prefix: string): readonly (keyof typeof hostedOptions)[] {
  return keysOf(hostedOptions).filter((key) => key.startsWith(prefix));
}
