// Tables of arguments inside of the plugins' pages, between two comments.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../paths.mjs';
import { replaced } from './blocks.mjs';
import { table } from './tables.mjs';

const SOURCE = 'packages/scheduler/dist/core/plugins/plugin-arguments.js';
const FOLDER = 'packages/scheduler/src/core/plugins';

/** The pages whose table is not what the code says, each with the text it should have. */
export async function stalePluginBlocks() {
  if (!existsSync(join(ROOT, SOURCE))) {
    return [];
  }
  const { PLUGIN_ARGUMENTS } = await import(pathToFileURL(join(ROOT, SOURCE)).href);
  return PLUGIN_ARGUMENTS.flatMap((page) => {
    const file = `${FOLDER}/${page.folder}/README.md`;
    const before = readFileSync(join(ROOT, file), 'utf8');
    const text = replaced({ file, text: before, name: 'arguments' }, argumentTable(page));
    return text === before ? [] : [{ file, text }];
  });
}

/** Defaults are what the reader makes of arguments that hold only what must be given. */
function argumentTable({ texts, read, required }) {
  const { value } = read(required);
  const rows = Object.entries(texts).map(([name, text]) => {
    const path = name.replaceAll('[]', '.0').split('.');
    return [`\`${name}\``, at(required, path) === undefined ? shown(at(value, path)) : 'required', text];
  });
  return table(['argument', 'default', 'meaning'], rows);
}

function at(value, path) {
  return path.reduce((inner, key) => inner?.[key], value);
}

function shown(value) {
  if (value === undefined) {
    return 'none';
  }
  const text =
    typeof value === 'string'
      ? value
      : JSON.stringify(value).replaceAll('"', '').replaceAll(',', ', ').replaceAll(':', ': ');
  return `\`${text}\``;
}
