import type { ExpandedPlugins } from './plugin-set.js';

/** One profile, ready to compile: every default filled in. */
export interface ProfileConfig {
  readonly schedulerName: string;
  /** Undefined: all nodes. 0: kube-scheduler's adaptive share. */
  readonly percentageOfNodesToScore: number | undefined;
  readonly plugins: ExpandedPlugins;
  /** Typed arguments by plugin name, defaults filled in; plugins without arguments are absent. */
  readonly pluginArgs: Readonly<Record<string, unknown>>;
}

/** The effective configuration of a scheduler process: frozen, served at `/configz` with secrets masked. */
export interface SchedulerConfig {
  readonly parallelism: number;
  readonly leaderElection: {
    readonly leaderElect: boolean;
    readonly leaseDurationMs: number;
    readonly renewDeadlineMs: number;
    readonly retryPeriodMs: number;
    readonly resourceLock: string;
    readonly resourceName: string;
    readonly resourceNamespace: string;
  };
  readonly clientConnection: {
    /** Empty: the flag, the environment or the service account decides. */
    readonly kubeconfig: string;
    readonly acceptContentTypes: string;
    readonly contentType: string;
    /** API calls a second; negative: unlimited. */
    readonly qps: number;
    readonly burst: number;
  };
  readonly enableProfiling: boolean;
  readonly enableContentionProfiling: boolean;
  readonly percentageOfNodesToScore: number | undefined;
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  readonly delayCacheUntilActive: boolean;
  readonly profiles: readonly ProfileConfig[];
}
