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

/** One signal of a plugin. */
export interface WatchedUse extends SignalUse {
  readonly key: string;
  /** What the plugin does where no node has a value, for people. */
  readonly consequence: string;
}

/** What one plugin of one profile reads. */
export interface SignalPolicy {
  readonly profile: string;
  readonly plugin: string;
  readonly source: SignalSource;
  readonly uses: readonly WatchedUse[];
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
    const uses = needs.uses.map((use) => ({
      ...use,
      key: signalKey(source.key, use.spec),
      consequence: consequenceOf(plugin, pluginArgs[plugin], use.spec.name),
    }));
    return [{ profile: schedulerName, plugin, source, uses }];
  });
}

interface MissingArgs {
  readonly missingMetrics?: keyof typeof CONSEQUENCE;
  readonly signals?: readonly { readonly name: string; readonly missing?: keyof typeof CONSEQUENCE }[];
}

const CONSEQUENCE = {
  zeroScore: 'it counts 0 for every node',
  skip: 'it tells no nodes apart',
  error: 'each attempt fails',
  pass: 'its ceiling is not applied',
  reject: 'every node is refused',
} as const;

/** NodeSignals has a setting for each signal, the others one for the plugin. */
function consequenceOf(plugin: string, args: unknown, signal: string): string {
  const { missingMetrics, signals = [] } = (args ?? {}) as MissingArgs;
  const own = signals.find(({ name }) => name === signal)?.missing;
  const usual = plugin === 'LoadCeiling' ? 'pass' : 'zeroScore';
  const missing = own ?? missingMetrics ?? usual;
  return `${CONSEQUENCE[missing]} (${own === undefined ? 'missingMetrics' : 'missing'}: ${missing})`;
}

/** Every source that some profile reads signals from, once. */
export function signalSources({ profiles }: SchedulerConfig): readonly SignalSource[] {
  const policies = profiles.flatMap(signalPoliciesOf);
  return [...new Map(policies.map(({ source }) => [source.key, source])).values()];
}

function sourceKey({ address, ...access }: SignalSourceArgs): string {
  const settings = settingsFingerprint(
    Object.entries(access)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flat(),
  );
  return ['prometheus', address.replace(/\/+$/, ''), settings].filter((part) => part !== '').join(' ');
}
