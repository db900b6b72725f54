// Tables made from the code inside of pages that people write, between two comments.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../paths.mjs';
import { optionTable } from './tables.mjs';

const OPTIONS = 'packages/load-watcher/dist/process/options.js';
const BY_PROVIDER = 'packages/load-watcher/dist/process/provider-options.js';
const PLATFORM = 'packages/platform/dist/index.js';
const PROVIDER_PAGES = {
  KubernetesMetricsServer: 'docs/providers/metrics-server.md',
  Prometheus: 'docs/providers/prometheus.md',
  SignalFx: 'docs/providers/signalfx.md',
  Datadog: 'docs/providers/datadog.md',
};

/** The pages whose table is not what the code says, each with the text it should have. */
export async function staleBlocks() {
  if (!existsSync(join(ROOT, BY_PROVIDER))) {
    return [];
  }
  const { PROVIDER_OPTIONS } = await load(BY_PROVIDER);
  const { loadWatcherOptions } = await load(OPTIONS);
  const { defaultText } = await load(PLATFORM);
  return Object.entries(PROVIDER_PAGES).flatMap(([provider, file]) => {
    const specs = PROVIDER_OPTIONS[provider].map((key) => loadWatcherOptions[key]);
    const before = readFileSync(join(ROOT, file), 'utf8');
    const text = replaced({ file, text: before, name: 'options' }, optionTable(specs, defaultText));
    return text === before ? [] : [{ file, text }];
  });
}

export function writeBlock({ file, text }) {
  writeFileSync(join(ROOT, file), text);
}

/** The text of a page with another table between the comments of that name. */
export function replaced({ file, text, name }, table) {
  const begin = `<!-- ${name}: written by \`npm run fix\` from the code -->`;
  const end = `<!-- /${name} -->`;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`${file} has no place for its table: ${begin} and ${end}`);
  }
  return `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`;
}

function load(path) {
  return import(pathToFileURL(join(ROOT, path)).href);
}
