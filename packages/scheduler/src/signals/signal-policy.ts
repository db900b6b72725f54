import type { ProfileConfig, SchedulerConfig } from '../core/config/scheduler-config.js';
import { signalNeeds } from '../core/plugins/signal-users.js';
import { type SignalUse, signalKey } from '../core/signals/signal-spec.js';
import type { SignalSourceArgs } from '../core/signals/source-args.js';
import { settingsFingerprint } from '../service/load-source.js';

/** A Prometheus that signals are read from. */
export interface SignalSource {
  /** Equal for plugins that read it with the same credentials and TLS settings. Mask it before showing it. */
  readonly key: string;
  readonly args: SignalSourceArgs;
}

/** What one plugin of one profile reads. */
export interface SignalPolicy {
  readonly profile: string;
  readonly plugin: string;
  readonly source: SignalSource;
  readonly uses: readonly (SignalUse & { readonly key: string })[];
}

/** One policy for each plugin of the profile that reads signals. */
export function signalPoliciesOf({
  schedulerName,
  plugins,
  pluginArgs,
}: ProfileConfig): readonly SignalPolicy[] {
  const names = new Set([...plugins.filter, ...plugins.score].map(({ name }) => name));
  return [...names].flatMap((plugin) => {
    const needs = signalNeeds(plugin, pluginArgs[plugin]);
    if (needs === undefined) return [];
    const source = { key: sourceKey(needs.source), args: needs.source };
    const uses = needs.uses.map((use) => ({ ...use, key: signalKey(source.key, use.spec) }));
    return [{ profile: schedulerName, plugin, source, uses }];
  });
}

/** Every source that some profile reads signals from, once. */
export function signalSources({ profiles }: SchedulerConfig): readonly SignalSource[] {
  const policies = profiles.flatMap(signalPoliciesOf);
  return [...new Map(policies.map(({ source }) => [source.key, source])).values()];
}

function sourceKey({ address, ...access }: SignalSourceArgs): string {
  const { token, tokenFile, caFile, insecureSkipVerify } = access;
  const settings = settingsFingerprint([token, tokenFile, caFile, insecureSkipVerify]);
  return ['prometheus', address.replace(/\/+$/, ''), settings].filter((part) => part !== '').join(' ');
}
