import { formatDuration } from '@catamaran/platform';
import type { ProfileConfig, SchedulerConfig } from '../core/config/scheduler-config.js';
import { documentText } from './document-text.js';
import { KIND, V1 } from './versions/api-versions.js';

/**
 * The configuration as a v1 file with every default of its fields and arguments written out, secrets and all. Plugins
 * stay as the file has them: the default set is not spelled out.
 * @param written the file that it was read from, in v1; anything else counts as empty.
 */
export function effectiveConfigText(config: SchedulerConfig, written: unknown): string {
  const { profiles, leaderElection, ...rest } = config;
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs, ...election } = leaderElection;
  const document = {
    apiVersion: V1,
    kind: KIND,
    ...rest,
    leaderElection: {
      ...election,
      leaseDuration: formatDuration(leaseDurationMs),
      renewDeadline: formatDuration(renewDeadlineMs),
      retryPeriod: formatDuration(retryPeriodMs),
    },
    profiles: profiles.map((profile, index) => ({
      schedulerName: profile.schedulerName,
      percentageOfNodesToScore: profile.percentageOfNodesToScore,
      plugins: fieldOf(fieldOf(fieldOf(written, 'profiles'), index), 'plugins') ?? undefined,
      pluginConfig: pluginConfig(profile),
    })),
  };
  return documentText(document);
}

function pluginConfig({ pluginArgs }: ProfileConfig): readonly unknown[] {
  return Object.entries(pluginArgs).map(([name, args]) => ({ name, args: asWritten(name, args) }));
}

/** Arguments have the spelling of the file; durations of kube-scheduler's own are numbers here. */
function asWritten(name: string, args: unknown): unknown {
  if (name !== 'DynamicResources') return args;
  const { filterTimeoutMs, bindingTimeoutMs } = args as Readonly<Record<string, number>>;
  return {
    filterTimeout: formatDuration(filterTimeoutMs ?? 0),
    bindingTimeout: formatDuration(bindingTimeoutMs ?? 0),
  };
}

function fieldOf(value: unknown, name: string | number): unknown {
  const isHolder = typeof value === 'object' && value !== null;
  return isHolder ? (value as Readonly<Record<string | number, unknown>>)[name] : undefined;
}
