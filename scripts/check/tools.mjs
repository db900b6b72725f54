import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ROOT } from '../paths.mjs';

const BIN = join(ROOT, 'node_modules', '.bin');

/** Runs a Node.js script with arguments from the root; resolves to its exit code. */
export function runTool([script, ...args]) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // oxlint looks for its type-aware half on the PATH.
    env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}
