// npm run test:node24: the tests, on the Node.js that the images have. Its binary comes from the npm registry.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

const VERSION = '24.21.0';
const NAME = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const FOLDER = join(ROOT, '.cache', `node-${VERSION}`);
const NODE = join(FOLDER, 'node_modules', NAME, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

if (!existsSync(NODE)) {
  execFileSync(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--prefix', FOLDER, `${NAME}@${VERSION}`],
    {
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
}
const tests = spawn(NODE, process.argv.slice(2), {
  cwd: ROOT,
  stdio: 'inherit',
  // Programs that tests start as `node` are this one too.
  env: { ...process.env, PATH: `${join(NODE, '..')}:${process.env.PATH ?? ''}` },
});
tests.once('close', (code) => {
  process.exitCode = code ?? 1;
});
