import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../paths.mjs';
import { errorCodeSections } from './error-codes.mjs';
import { metricTable, optionTable } from './tables.mjs';

/** Every page of the reference: its file, its title, and how to render it (undefined: the code has none yet). */
export const PAGES = [
  {
    file: 'load-watcher-options.md',
    title: 'Options of the load-watcher',
    render: () => options('packages/load-watcher/dist/index.js', 'loadWatcherOptions'),
  },
  {
    file: 'scheduler-options.md',
    title: 'Options of the scheduler',
    render: () => options('packages/scheduler/dist/index.js', 'schedulerOptions'),
  },
  {
    file: 'demo-options.md',
    title: 'Options of the demo',
    render: () => options('packages/cli/dist/demo/options.js', 'DEMO_OPTIONS'),
  },
  {
    file: 'load-watcher-metrics.md',
    title: 'Metrics of the load-watcher',
    render: () => metrics('packages/load-watcher/dist/index.js', 'loadWatcherMetricSpecs'),
  },
  {
    file: 'scheduler-metrics.md',
    title: 'Metrics of the scheduler',
    render: () => metrics('packages/scheduler/dist/index.js', 'schedulerMetricSpecs'),
  },
  { file: 'error-codes.md', title: 'Codes of errors and reasons', render: () => errorCodeSections(ROOT) },
];

async function options(path, name) {
  const table = await exported(path, name);
  if (table === undefined) {
    return undefined;
  }
  const { defaultText } = await import(distUrl('packages/platform/dist/index.js'));
  return optionTable(Object.values(table), defaultText);
}

async function metrics(path, name) {
  const specs = await exported(path, name);
  return specs === undefined ? undefined : metricTable(typeof specs === 'function' ? specs() : specs);
}

async function exported(path, name) {
  if (!existsSync(join(ROOT, path))) {
    return undefined;
  }
  try {
    return (await import(distUrl(path)))[name];
  } catch (error) {
    process.stderr.write(`${path} does not load: ${error.message}; run npm run build first\n`);
    process.exit(1);
  }
}

function distUrl(path) {
  return pathToFileURL(join(ROOT, path)).href;
}
