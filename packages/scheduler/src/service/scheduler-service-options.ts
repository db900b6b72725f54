import type { WatcherClient } from '@catamaran/load-watcher/client';
import type { Clock, ClusterApi, Logger, MetricsRegistry } from '@catamaran/platform';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import type { PluginDefinition } from '../core/framework/plugin-definition.js';
import type { SignalReader } from '../signals/signal-reader.js';
import type { DecisionLogOptions, DecisionRecord } from './decision-log.js';

export interface SchedulerServiceOptions {
  readonly config: SchedulerConfig;
  /** 5 minutes. */
  readonly podMaxInUnschedulablePodsMs?: number;
  /** Seeds the choice among equally good nodes. */
  readonly tieSeed?: number;
  /** Told in events; the host's name. */
  readonly instance?: string;
  /** How often load figures are fetched; 30 s. */
  readonly pollIntervalMs?: number;
  /** 64. */
  readonly maxBindingsInFlight?: number;
  readonly decisionLog?: DecisionLogOptions;
  /** Plugins beside the built-in ones; the profiles of `config` name them. */
  readonly plugins?: readonly PluginDefinition[];
}

export interface SchedulerServiceDeps {
  readonly api: ClusterApi;
  /** By key of `loadSources(config)`. The service asks them but does not close them. */
  readonly watcherClients: ReadonlyMap<string, WatcherClient>;
  /** By key of `signalSources(config)`; needed where a plugin reads signals. Not closed by the service either. */
  readonly signalReaders?: ReadonlyMap<string, SignalReader>;
  /** Time of pods, figures and back-offs. */
  readonly clock: Clock;
  /** Time of connections, rate limits and retries; the same unless the cluster lives in scaled time. */
  readonly transportClock?: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  /** Uniform in [0, 1); jitter only. */
  readonly random?: () => number;
  /** Monotonic milliseconds for durations in metrics; the clock unless given. */
  readonly stopwatchMs?: () => number;
  readonly onDecision?: (record: DecisionRecord) => void;
}
