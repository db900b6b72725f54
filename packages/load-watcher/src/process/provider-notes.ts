import { maskUserPart, type OptionValues } from '@catamaran/platform';
import type { ProviderSpec } from '../providers/create-provider.js';
import type { loadWatcherOptions } from './options.js';
import { optionsWithoutEffect } from './provider-options.js';

/** Things to log at start about the provider: the proxy on the way to it, and options that are not its own. */
export function providerNotes(
  values: OptionValues<typeof loadWatcherOptions>,
  provider: ProviderSpec,
): readonly string[] {
  const { name } = provider;
  const proxy = provider.name === 'KubernetesMetricsServer' ? undefined : provider.connection?.proxyUrl;
  return [
    ...(proxy === undefined ? [] : [`${name} is reached through the proxy ${maskUserPart(proxy)}`]),
    ...optionsWithoutEffect(values, name).map((flag) => `${flag} has no effect with ${name}`),
  ];
}
