import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../paths.mjs';
import { dependencyTable } from './dependencies.mjs';
import { errorCodeSections } from './error-codes.mjs';
import { metricTable, optionTable } from './tables.mjs';

const PLATFORM = 'packages/platform/dist/index.js';

/** Every page of the reference: its file, its title, and how to render it (undefined: the code has none yet). */
export const PAGES = [
  {
    file: 'load-watcher-options.md',
    title: 'Options of the load-watcher',
    render: () =>
      options('packages/load-watcher/dist/process/options.js', 'loadWatcherOptions', { inFile: true }),
  },
  {
    file: 'scheduler-options.md',
    title: 'Options of the scheduler',
    render: () => options('packages/scheduler/dist/process/scheduler-options.js', 'schedulerOptions'),
  },
  {
    file: 'demo-options.md',
    title: 'Options of the demo',
    render: () => options('packages/cli/dist/demo/options.js', 'DEMO_OPTIONS'),
  },
  {
    file: 'explain-options.md',
    title: 'Options of catamaran explain',
    render: () => options('packages/cli/dist/explain/options.js', 'EXPLAIN_OPTIONS'),
  },
  {
    file: 'config-options.md',
    title: 'Options of catamaran config',
    render: () => options('packages/cli/dist/config/options.js', 'CONFIG_OPTIONS'),
  },
  {
    file: 'load-watcher-metrics.md',
    title: 'Metrics of the load-watcher',
    render: () =>
      metrics('packages/load-watcher/dist/service/watcher-metrics.js', ({ WatcherMetrics }, registry) => {
        new WatcherMetrics(registry);
      }),
  },
  {
    file: 'scheduler-metrics.md',
    title: 'Metrics of the scheduler',
    render: () =>
      metrics('packages/scheduler/dist/service/scheduler-metrics.js', ({ schedulerMetrics }, registry) => {
        schedulerMetrics(registry);
      }),
  },
  { file: 'error-codes.md', title: 'Codes of errors and reasons', render: () => errorCodeSections(ROOT) },
  { file: 'dependencies.md', title: 'Dependencies and their licences', render: dependencyTable },
];

/** A page for the option table that a module exports under this name; `inFile`: a configuration file can set them too. */
async function options(path, name, { inFile = false } = {}) {
  const table = (await loaded(path))?.[name];
  if (table === undefined) {
    return undefined;
  }
  const { defaultText } = await loaded(PLATFORM);
  const keys = new Map(Object.entries(table).map(([key, spec]) => [spec, fileKey(key, spec)]));
  return optionTable(Object.values(table), defaultText, inFile ? (spec) => keys.get(spec) : undefined);
}

/** Secrets and the file's own path can't stand in it. */
function fileKey(key, { onlyFlag = false, secret, type }) {
  return onlyFlag || (secret === true && type === 'string') ? '' : `\`${key}\``;
}

/** A page for the metrics that a module registers. */
async function metrics(path, register) {
  const module = await loaded(path);
  if (module === undefined) {
    return undefined;
  }
  const { MetricsRegistry } = await loaded(PLATFORM);
  const registry = new MetricsRegistry();
  register(module, registry);
  return metricTable(registry.specs());
}

/** A compiled module, or undefined when there is none. */
async function loaded(path) {
  if (!existsSync(join(ROOT, path))) {
    return undefined;
  }
  try {
    return await import(pathToFileURL(join(ROOT, path)).href);
  } catch (error) {
    process.stderr.write(`${path} does not load: ${error.message}; run npm run build first\n`);
    process.exit(1);
  }
}
