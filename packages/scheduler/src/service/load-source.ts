import { parseDuration } from '@catamaran/platform';
import type { ProfileConfig, SchedulerConfig } from '../core/config/scheduler-config.js';
import type { LoadArgs, MetricProviderArgs } from '../core/node-statistics/load-args.js';

/** Where figures of load come from, as plugin arguments say. */
export interface LoadSource {
  /** Equal for profiles that share a source; holds no secret. */
  readonly key: string;
  /** A load-watcher's URL; undefined: a watcher within this process, reading `metricProvider`. */
  readonly watcherAddress: string | undefined;
  readonly metricProvider: MetricProviderArgs | undefined;
}

/** How one profile reads its source. */
export interface LoadPolicy {
  readonly schedulerName: string;
  readonly source: LoadSource;
  /** Undefined: figures never get too old. */
  readonly maxAgeMs: number | undefined;
  readonly whenBlind: LoadArgs['whenBlind'];
}

/** The policy of a profile; undefined when no plugin of it looks at load. */
export function loadPolicyOf(profile: ProfileConfig): LoadPolicy | undefined {
  if (!profile.plugins.score.some(({ name }) => name === 'TargetLoadPacking')) {
    return undefined;
  }
  const args = (profile.pluginArgs.TargetLoadPacking ?? {}) as Partial<LoadArgs>;
  const maxAge = args.metricsMaxAge === undefined ? undefined : parseDuration(args.metricsMaxAge);
  return {
    schedulerName: profile.schedulerName,
    source: sourceOf(args),
    maxAgeMs: maxAge?.ok === true ? maxAge.value : undefined,
    whenBlind: args.whenBlind ?? 'zeroScore',
  };
}

function sourceOf({ watcherAddress, metricProvider }: Partial<LoadArgs>): LoadSource {
  if (watcherAddress !== undefined) {
    return { key: watcherAddress, watcherAddress, metricProvider: undefined };
  }
  const { type = 'KubernetesMetricsServer', address = '' } = metricProvider ?? {};
  return { key: `in-process ${type} ${address}`.trim(), watcherAddress: undefined, metricProvider };
}

/** Every source that some profile reads, once. */
export function loadSources(config: SchedulerConfig): readonly LoadSource[] {
  const sources = new Map<string, LoadSource>();
  for (const profile of config.profiles) {
    const source = loadPolicyOf(profile)?.source;
    if (source !== undefined) {
      sources.set(source.key, source);
    }
  }
  return [...sources.values()];
}
