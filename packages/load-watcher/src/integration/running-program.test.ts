import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

/** A child process of a test, whose end is awaited. */
export class RunningProgram {
  readonly ended: Promise<number | null>;
  /** What it has printed so far, both streams. */
  output = '';
  readonly #child: ChildProcess;

  constructor(
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>> = process.env,
  ) {
    this.#child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    const keep = (chunk: Buffer): void => {
      this.output += chunk.toString();
    };
    this.#child.stdout?.on('data', keep);
    this.#child.stderr?.on('data', keep);
    this.ended = new Promise((resolve) => {
      this.#child.once('error', () => resolve(null));
      this.#child.once('close', resolve);
    });
  }

  /** Resolves when the output holds a match; rejects when the program ends before. */
  async printed(pattern: RegExp): Promise<RegExpMatchArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match !== null) return match;
      const more = new Promise<'more'>((resolve) => {
        this.#child.stdout?.once('data', () => resolve('more'));
        this.#child.stderr?.once('data', () => resolve('more'));
      });
      const next = await Promise.race([more, this.ended]);
      if (next !== 'more' && pattern.exec(this.output) === null) {
        throw new Error(`ended with ${String(next)} before it printed ${pattern}: ${this.output}`);
      }
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async stop(name: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(name);
    return this.ended;
  }
}

/** The built load-watcher as a process of its own. */
export function startLoadWatcherProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningProgram {
  const main = new URL('../../dist/main.js', import.meta.url).pathname;
  const { PATH, HOME } = process.env;
  return new RunningProgram(process.execPath, [main, ...args], { PATH, HOME, ...env });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Those of the named programs that this machine has not. */
export function missingPrograms(names: readonly string[]): readonly string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.filter((name) => !folders.some((folder) => isExecutable(join(folder, name))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Calls until the outcome is there; the time limit is mocha's. */
export async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
