import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The compiled entry point of a package. @throws Error when it has not been built. */
export function builtMain(packageName: string): string {
  const path = `${ROOT}packages/${packageName}/dist/main.js`;
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build first`);
  return path;
}

/** A child process whose output a test reads. */
export class ObservedProcess {
  stdout = '';
  stderr = '';
  /** Resolves when the process and its streams are gone. */
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #watchers = new Set<() => void>();

  constructor(command: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(command, argv, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#announce();
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#announce();
    });
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code, signal) => {
        resolve({ code, signal });
        this.#announce();
      });
    });
  }

  static node(argv: readonly string[], env: Readonly<Record<string, string>> = {}): ObservedProcess {
    return new ObservedProcess(process.execPath, argv, env);
  }

  /**
   * Resolves with the match as soon as the output (stdout, then stderr) has it.
   * @throws Error with the whole output when the process ends without it.
   */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
      if (match !== null) return match;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        await this.exited;
        const late = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
        if (late !== null) return late;
        throw new Error(`ended without ${pattern.source}\n${this.stdout}\n${this.stderr}`);
      }
      await new Promise<void>((resolve) => {
        const watcher = (): void => {
          this.#watchers.delete(watcher);
          resolve();
        };
        this.#watchers.add(watcher);
      });
    }
  }

  /** Sends the signal and tells how the process ended and after how long. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit & { readonly tookMs: number }> {
    const startedMs = Date.now();
    this.#child.kill(signal);
    return { ...(await this.exited), tookMs: Date.now() - startedMs };
  }

  /** For clean-up: ends it whatever it does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited.catch(() => undefined);
  }

  #announce(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
