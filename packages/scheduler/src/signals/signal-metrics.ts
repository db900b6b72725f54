import type { MetricsRegistry } from '@catamaran/platform';

/** Why a node has no value of a signal. */
export const SIGNAL_ABSENCES = [
  'never-read',
  'stale',
  'from-the-future',
  'no-sample',
  'non-finite',
  'negative',
  'no-capacity',
] as const;

export type SignalMetrics = ReturnType<typeof signalMetrics>;

export function signalMetrics(registry: MetricsRegistry) {
  const labels = ['profile', 'plugin', 'signal'];
  return {
    signalAgeSeconds: registry.gauge({
      name: 'catamaran_scheduler_signal_age_seconds',
      help: 'Time since the values of a signal were read, by profile, plugin and signal.',
      labels,
    }),
    signalMissingNodes: registry.gauge({
      name: 'catamaran_scheduler_signal_missing_nodes',
      help: `Nodes without a usable value of a signal, by reason: ${SIGNAL_ABSENCES.join(', ')}.`,
      labels: [...labels, 'reason'],
    }),
    signalReads: registry.counter({
      name: 'catamaran_scheduler_signal_reads_total',
      help: 'Signals asked for by outcome: ok, failed.',
      labels: ['outcome'],
    }),
  };
}
