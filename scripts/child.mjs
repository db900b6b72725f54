import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ROOT } from './paths.mjs';

/**
 * Runs Node.js with these arguments in the root, on our own streams. Signals are passed on, except those that a
 * terminal has sent to the child already.
 * @returns the exit code to end with.
 */
export function runChild(argv) {
  const child = spawn(process.execPath, argv, { cwd: ROOT, stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  process.on('SIGHUP', () => process.stdin.isTTY || child.kill('SIGHUP'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** Like `runChild`, for work behind the scenes: its whole output goes to stderr. */
export function runQuietly(command, args, env = process.env) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
