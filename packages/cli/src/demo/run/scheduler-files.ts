import { loadSchedulerConfig, type SchedulerConfig } from '@catamaran/scheduler';
import { DEMO_SCHEDULER_NAME } from '../plan/manifests.js';
import type { MetricsTiming } from './metrics-timing.js';

/** Target of the upstream sample, kept so that the comparison is with what people run. */
const TARGET_PERCENT = 40;
const HEAD = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
clientConnection: {qps: -1}
`;

/** kube-scheduler's default plugins: LeastAllocated and BalancedAllocation decide. */
export function requestsOnlyConfig(): SchedulerConfig {
  return loaded(`${HEAD}profiles:
  - schedulerName: ${DEMO_SCHEDULER_NAME}
`);
}

/** TargetLoadPacking in place of the two scores that look at requests, as in the upstream sample. */
export function targetLoadPackingConfig(watcherUrl: string, timing: MetricsTiming): SchedulerConfig {
  const maxAge = timing.maxAgeMs === 0 ? '' : `\n          metricsMaxAge: ${timing.maxAgeMs}ms`;
  return loaded(`${HEAD}profiles:
  - schedulerName: ${DEMO_SCHEDULER_NAME}
    plugins:
      score:
        disabled:
          - name: NodeResourcesFit
          - name: NodeResourcesBalancedAllocation
        enabled:
          - name: TargetLoadPacking
    pluginConfig:
      - name: TargetLoadPacking
        args:
          targetUtilization: ${TARGET_PERCENT}
          watcherAddress: ${watcherUrl}
          whenBlind: useRequests${maxAge}
`);
}

function loaded(text: string): SchedulerConfig {
  const result = loadSchedulerConfig(text, 'demo');
  if (!result.ok) throw new TypeError(result.problems.join('\n'));
  return result.config;
}
