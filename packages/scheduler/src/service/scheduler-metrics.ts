import type { MetricsRegistry } from '@catamaran/platform';
import { FIGURE_GAPS } from '../core/plugins/load-ceiling/figures.js';
import type { QueueCounts } from '../core/queue/queue-options.js';
import { signalMetrics } from '../signals/signal-metrics.js';

/** kube-scheduler's buckets: 1 ms doubling to 16 s. */
const ATTEMPT_BUCKETS = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);
/** From arrival to binding: 10 ms doubling to 5,243 s. */
const WAIT_BUCKETS = Array.from({ length: 20 }, (_, index) => 0.01 * 2 ** index);
const TRIES_BUCKETS = [1, 2, 4, 8, 16];

/** Metrics of the scheduler: kube-scheduler's names where they mean the same, ours beside them. */
export type SchedulerMetrics = ReturnType<typeof schedulerMetrics>;

export function schedulerMetrics(registry: MetricsRegistry) {
  return {
    ...attemptMetrics(registry),
    ...stateMetrics(registry),
    ...loadMetrics(registry),
    ...signalMetrics(registry),
  };
}

function attemptMetrics(registry: MetricsRegistry) {
  return {
    attempts: registry.counter({
      name: 'scheduler_schedule_attempts_total',
      help: 'Attempts to schedule a pod, by result: scheduled, unschedulable, error.',
      labels: ['result', 'profile'],
    }),
    attemptSeconds: registry.histogram({
      name: 'scheduler_scheduling_attempt_duration_seconds',
      help: 'Time of an attempt, from taking the pod off the queue to the end of its binding.',
      labels: ['result', 'profile'],
      buckets: ATTEMPT_BUCKETS,
    }),
    algorithmSeconds: registry.histogram({
      name: 'scheduler_scheduling_algorithm_duration_seconds',
      help: 'Time to choose a node.',
      buckets: ATTEMPT_BUCKETS,
    }),
    waitSeconds: registry.histogram({
      name: 'scheduler_pod_scheduling_sli_duration_seconds',
      help: 'Time from the arrival of a pod in the queue to its binding, by number of attempts.',
      labels: ['attempts'],
      buckets: WAIT_BUCKETS,
    }),
    tries: registry.histogram({
      name: 'scheduler_pod_scheduling_attempts',
      help: 'Attempts it took to schedule a pod.',
      buckets: TRIES_BUCKETS,
    }),
  };
}

function stateMetrics(registry: MetricsRegistry) {
  return {
    pendingPods: registry.gauge({
      name: 'scheduler_pending_pods',
      help: 'Pods that wait, by queue: active, backoff, unschedulable, gated.',
      labels: ['queue'],
    }),
    cacheSize: registry.gauge({
      name: 'scheduler_cache_size',
      help: 'Objects in the scheduler cache: nodes, pods that hold something on a node, assumed_pods.',
      labels: ['type'],
    }),
    bindings: registry.counter({
      name: 'catamaran_scheduler_bindings_total',
      help: 'Bindings by outcome: bound, gone, elsewhere, failed.',
      labels: ['outcome'],
    }),
    dropped: registry.counter({
      name: 'catamaran_scheduler_dropped_writes_total',
      help: 'Events and pod conditions that were dropped because the API server is slow.',
      labels: ['what'],
    }),
    malformed: registry.counter({
      name: 'catamaran_scheduler_malformed_objects_total',
      help: 'Objects the API server sent that could not be read, or only in part, by kind: node, pod, namespace.',
      labels: ['kind'],
    }),
    refusals: registry.counter({
      name: 'catamaran_scheduler_refused_pods_total',
      help: 'Attempts that ended because a pod asks for something this scheduler can not honour.',
      labels: ['profile'],
    }),
    softIgnored: registry.counter({
      name: 'catamaran_scheduler_soft_features_ignored_total',
      help: 'Pods whose soft wishes were not looked at, by feature.',
      labels: ['feature'],
    }),
  };
}

function loadMetrics(registry: MetricsRegistry) {
  return {
    loadState: registry.gauge({
      name: 'catamaran_scheduler_load_state',
      help: 'State of the load figures of a profile, 1 for the present one: fresh, failing, stale, ahead, blind.',
      labels: ['profile', 'state'],
    }),
    loadAgeSeconds: registry.gauge({
      name: 'catamaran_scheduler_load_age_seconds',
      help: 'Age of the newest load figures, by profile.',
      labels: ['profile'],
    }),
    loadMissingNodes: registry.gauge({
      name: 'catamaran_scheduler_load_missing_nodes',
      help: 'Nodes without a usable CPU figure, by profile.',
      labels: ['profile'],
    }),
    ceilingGapNodes: registry.gauge({
      name: 'catamaran_scheduler_load_ceiling_gap_nodes',
      help: `Nodes that a ceiling of LoadCeiling can not be held against, by profile, figure and reason: ${FIGURE_GAPS.join(', ')}.`,
      labels: ['profile', 'figure', 'reason'],
    }),
    loadRefreshes: registry.counter({
      name: 'catamaran_scheduler_load_refreshes_total',
      help: 'Fetches of load figures by outcome: ok, failed.',
      labels: ['outcome'],
    }),
  };
}

/** Queues as kube-scheduler names them. */
export function setStateGauges(
  { pendingPods, cacheSize }: SchedulerMetrics,
  counts: QueueCounts,
  sizes: { readonly nodes: number; readonly pods: number },
): void {
  pendingPods.set({ queue: 'active' }, counts.active);
  pendingPods.set({ queue: 'backoff' }, counts.backoff + counts['error-backoff']);
  pendingPods.set({ queue: 'unschedulable' }, counts.unschedulable);
  pendingPods.set({ queue: 'gated' }, counts.gated);
  cacheSize.set({ type: 'nodes' }, sizes.nodes);
  cacheSize.set({ type: 'pods' }, sizes.pods);
}
