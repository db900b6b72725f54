// Every relative link in a Markdown file leads somewhere; every `npm …` command that one names exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../paths.mjs';

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.cache', 'conformance']);
/** Commands of npm itself, which need no script. */
const NPM_COMMANDS = new Set(['ci', 'install', 'i', 'run', 'view', 'pack', 'exec']);

/** What is wrong in the Markdown files below `root`, one sentence each. */
export function checkDocs(root) {
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  const pages = new Map(markdownFiles(root).map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  return [...pages].flatMap(([file, text]) => [
    ...brokenLinks(root, file, text).map((link) => `${file}: the link ${link} leads nowhere`),
    ...unknownCommands(text, scripts).map((command) => `${file}: there is no command ${command}`),
    ...missingPrograms(root, text).map((path) => `${file}: there is no program ${path}`),
  ]);
}

function markdownFiles(root, folder = '.') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) {
      return [];
    }
    const path = join(folder, entry.name);
    return entry.isDirectory() ? markdownFiles(root, path) : entry.name.endsWith('.md') ? [path] : [];
  });
}

function brokenLinks(root, file, text) {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)]
    .map((match) => match[1])
    .filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link) && isBroken(root, file, link));
}

function isBroken(root, file, link) {
  const [path, anchor] = decodeURI(link).split('#');
  const target = path === '' ? join(root, file) : join(root, dirname(file), path);
  if (!existsSync(target)) {
    return true;
  }
  return (
    anchor !== undefined && target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).has(anchor)
  );
}

/** Anchors of the headings, as GitHub makes them. */
function anchorsOf(text) {
  const seen = new Map();
  const headings = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm);
  return new Set(
    [...headings].map(([, heading]) => {
      const slug = heading
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

function unknownCommands(text, scripts) {
  const runs = [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map((match) => [
    `npm run ${match[1]}`,
    match[1],
  ]);
  const plain = [...text.matchAll(/(?:^|`|\$ )npm ([a-z]+)\b/gm)]
    .map((match) => [`npm ${match[1]}`, match[1]])
    .filter(([, name]) => !NPM_COMMANDS.has(name));
  return [...runs, ...plain].filter(([, name]) => !Object.hasOwn(scripts, name)).map(([command]) => command);
}

/** `node packages/…/dist/x.js` and `node scripts/x.mjs` in a text, of which there is no source. */
function missingPrograms(root, text) {
  return [...text.matchAll(/\bnode ((?:packages|bench|scripts)\/\S+?\.m?js)\b/g)]
    .map((match) => match[1])
    .filter(
      (path) =>
        !existsSync(join(root, path.replace('/dist/', '/src/').replace(/(?<=\/src\/.*)\.js$/, '.ts'))),
    );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = checkDocs(ROOT);
  for (const problem of problems) {
    process.stdout.write(`${problem}\n`);
  }
  process.exitCode = problems.length > 0 ? 1 : 0;
}
