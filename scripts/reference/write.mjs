// Writes docs/reference from what the compiled code says; with --check only compares. Needs a build.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../paths.mjs';
import { staleBlocks, writeBlock } from './blocks.mjs';
import { PAGES } from './pages.mjs';
import { stalePluginBlocks } from './plugin-blocks.mjs';

const FOLDER = join(ROOT, 'docs', 'reference');
const NOTICE = '<!-- Written by `npm run fix` from the code; changes by hand are lost. -->';

const pages = new Map();
for (const { file, title, render } of PAGES) {
  const body = await render();
  if (body !== undefined) {
    pages.set(file, `${NOTICE}\n\n# ${title}\n\n${body.trim()}\n`);
  }
}
const index = PAGES.filter(({ file }) => pages.has(file)).map(({ file, title }) => `- [${title}](${file})`);
pages.set('README.md', `${NOTICE}\n\n# Reference\n\n${index.join('\n')}\n`);

const present = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
const surplus = present.filter((file) => !pages.has(file));
const changed = [...pages].filter(([file, text]) => read(file) !== text);
const blocks = [...(await staleBlocks()), ...(await stalePluginBlocks())];

if (process.argv.includes('--check')) {
  for (const file of [...surplus, ...changed.map(([name]) => name)]) {
    process.stdout.write(`${join('docs/reference', file)} differs from what the code says\n`);
    process.exitCode = 1;
  }
  for (const { file } of blocks) {
    process.stdout.write(`${file}: its generated table differs from what the code says\n`);
    process.exitCode = 1;
  }
} else {
  mkdirSync(FOLDER, { recursive: true });
  for (const file of surplus) {
    rmSync(join(FOLDER, file), { recursive: true });
  }
  for (const [file, text] of changed) {
    writeFileSync(join(FOLDER, file), text);
    process.stdout.write(`wrote ${join('docs/reference', file)}\n`);
  }
  for (const block of blocks) {
    writeBlock(block);
    process.stdout.write(`wrote the table in ${block.file}\n`);
  }
}

function read(file) {
  const path = join(FOLDER, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
