import { table } from './tables.mjs';

const INTRO = `Both services serve Prometheus text at \`/metrics\`: the scheduler at its secure port, for whom the API server lets in
(ClusterRole \`catamaran-scheduler-reader\`), the load-watcher at its port. Units are in the names; values of labels come from closed sets.`;

const OF_KUBE_SCHEDULER = `Names that begin with \`scheduler_\` are kube-scheduler's and mean what they mean there: same type, labels and buckets, so its
dashboards and alerts work. Those that begin with \`catamaran_scheduler_\` are ours.`;

const OF_THE_PROCESS =
  'Besides, each process tells about itself, as every Node.js program with prom-client does: `process_*` (CPU seconds, resident memory, open descriptors, start time) and `nodejs_*` (event loop lag, heap, garbage collection).';

/** The page of metrics: a section for each service. */
export function metricSections({ scheduler, loadWatcher }) {
  return [
    INTRO,
    '## Scheduler',
    OF_KUBE_SCHEDULER,
    metricTable(scheduler),
    '## Load-watcher',
    metricTable(loadWatcher),
    '## Process',
    OF_THE_PROCESS,
  ].join('\n\n');
}

function metricTable(specs) {
  const sorted = [...specs].sort((a, b) => (a.name < b.name ? -1 : 1));
  return table(
    ['metric', 'type', 'labels', 'meaning'],
    sorted.map(({ name, type, labels = [], help, buckets }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      buckets === undefined ? help : `${help} Buckets: ${bucketText(buckets)}.`,
    ]),
  );
}

/** Short ones whole, long ones by their ends. */
function bucketText(buckets) {
  const text = (bound) => String(Number(bound.toPrecision(6)));
  return buckets.length <= 6
    ? buckets.map(text).join(', ')
    : `${buckets.length}, from ${text(buckets[0])} and ${text(buckets[1])} to ${text(buckets.at(-1))}`;
}
