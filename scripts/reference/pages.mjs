import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../paths.mjs';
import { configKeyTable } from './config-keys.mjs';
import { dependencyTable } from './dependencies.mjs';
import { errorCodeSections } from './error-codes.mjs';
import { metricSections } from './metrics.mjs';
import { httpTable, optionTable } from './tables.mjs';

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
    file: 'scheduler-config.md',
    title: 'Keys of the scheduler’s configuration',
    render: async () =>
      configKeyTable(await loaded('packages/scheduler/dist/config/load-scheduler-config.js')),
  },
  { file: '../metrics.md', title: 'Metrics', render: metricsPage },
  {
    file: 'load-watcher-http.md',
    title: 'HTTP interface of the load-watcher',
    render: () => http('packages/load-watcher/dist/http/openapi.js'),
  },
  {
    file: 'scheduler-http.md',
    title: 'HTTP API of the scheduler',
    render: () => http('packages/scheduler/dist/http/openapi.js'),
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

/** A page for the OpenAPI document that a module exports. */
async function http(path) {
  const module = await loaded(path);
  return module === undefined ? undefined : httpTable(module.OPENAPI);
}

/** The metrics of both services, as their modules register them. */
async function metricsPage() {
  const services = [
    { path: 'packages/scheduler/dist', files: ['service/scheduler-metrics.js', 'signals/signal-metrics.js'] },
    { path: 'packages/load-watcher/dist', files: ['service/watcher-metrics.js'] },
  ];
  const [scheduler, loadWatcher] = await Promise.all(
    services.map(async ({ path, files }) =>
      registered(await Promise.all(files.map((file) => loaded(`${path}/${file}`)))),
    ),
  );
  return metricSections({ scheduler, loadWatcher });
}

async function registered(modules) {
  const { MetricsRegistry } = await loaded(PLATFORM);
  const registry = new MetricsRegistry();
  for (const module of modules) {
    module?.schedulerMetrics?.(registry);
    module?.signalMetrics?.(registry);
    if (module?.WatcherMetrics !== undefined) new module.WatcherMetrics(registry);
  }
  return registry.specs();
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
