import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../paths.mjs';

/** Every metric that the compiled code registers, by service: `{name, help, type, labels}`. */
export async function metricSpecs() {
  const { MetricsRegistry } = await loaded('packages/platform/dist/index.js');
  const { WatcherMetrics } = await loaded('packages/load-watcher/dist/service/watcher-metrics.js');
  const { schedulerMetrics } = await loaded('packages/scheduler/dist/service/scheduler-metrics.js');
  const scheduler = new MetricsRegistry();
  schedulerMetrics(scheduler);
  const watcher = new MetricsRegistry();
  new WatcherMetrics(watcher);
  return { scheduler: scheduler.specs(), loadWatcher: watcher.specs() };
}

/** Names of what every process tells of itself. */
export async function processMetricNames() {
  const { MetricsRegistry } = await loaded('packages/platform/dist/index.js');
  const { body } = await new MetricsRegistry({ processMetrics: true }).render();
  return [...body.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]);
}

function loaded(path) {
  return import(pathToFileURL(join(ROOT, path)).href);
}
