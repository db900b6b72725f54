// Walls: which package may import which, what core may see, who may see tests; who may reach for time and chance.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../paths.mjs';
import { ambientProblems } from './ambient.mjs';
import { importsOf } from './imports.mjs';
import { wallProblems } from './wall-rules.mjs';

/** Source files below a folder, as paths from `root` with forward slashes. */
function sourcesUnder(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?ts$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    );
}

/** All broken walls of the workspace at `root`, one sentence each. */
export function checkWalls(root) {
  const packages = readdirSync(join(root, 'packages'));
  const folders = [...packages.map((name) => `packages/${name}/src`), 'bench/src'];
  return folders
    .flatMap((folder) => sourcesUnder(root, folder))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      return [...wallProblems(file, importsOf(source)), ...ambientProblems(file, source)];
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = checkWalls(ROOT);
  for (const problem of problems) {
    process.stdout.write(`${problem}\n`);
  }
  process.exitCode = problems.length > 0 ? 1 : 0;
}
