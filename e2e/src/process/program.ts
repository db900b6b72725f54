import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { until } from './until.js';

export interface ProgramSpec {
  /** For messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to what this process has. */
  readonly env?: Readonly<Record<string, string>>;
  /** Output goes here, appended. */
  readonly logPath: string;
}

const LOG_TAIL = 3000;
const PATIENCE_MS = 20_000;

/** A program that runs beside the tests; it can be stopped, killed, frozen and started again with the same arguments. */
export class Program {
  readonly spec: ProgramSpec;
  #child: ChildProcess | undefined;
  #exited: Promise<number | null> = Promise.resolve(null);

  constructor(spec: ProgramSpec) {
    this.spec = spec;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Exit code of the present run; null after a signal. */
  get exited(): Promise<number | null> {
    return this.#exited;
  }

  get log(): string {
    return readFileSync(this.spec.logPath, 'utf8');
  }

  start(): void {
    if (this.isRunning) throw new Error(`${this.spec.name} runs already`);
    const { command, args, env, logPath } = this.spec;
    const log = openSync(logPath, 'a');
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child = child;
    this.#exited = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    this.#exited.catch(() => undefined);
  }

  /** @throws Error with the end of the log when the program ends or time is up before `ask` succeeds. */
  async ready(what: string, ask: () => Promise<unknown>, timeoutMs = 60_000): Promise<void> {
    await until({ what: `${this.spec.name}: ${what}`, timeoutMs }, async () => {
      if (!this.isRunning) return 'ended';
      return (await ask()) === false ? undefined : 'ready';
    })
      .then((outcome) => {
        if (outcome === 'ended') throw new Error(`${this.spec.name} has ended`);
      })
      .catch((error: Error) => {
        throw new Error(`${error.message}\n${this.log.slice(-LOG_TAIL)}`, { cause: error });
      });
  }

  /** Asks it to end, and after 20 s makes it. Resolves when it is gone, with its exit code and how long it took. */
  async stop(
    signal: NodeJS.Signals = 'SIGTERM',
  ): Promise<{ readonly code: number | null; readonly tookMs: number }> {
    const startedMs = performance.now();
    if (this.isRunning) {
      const force = setTimeout(() => this.#child?.kill('SIGKILL'), PATIENCE_MS);
      this.#child?.kill(signal);
      await this.#exited;
      clearTimeout(force);
    }
    return { code: await this.#exited, tookMs: performance.now() - startedMs };
  }

  /** Ends it at once; does not wait. */
  kill(): void {
    if (this.isRunning) this.#child?.kill('SIGKILL');
  }

  /** It keeps its memory and sockets but does nothing until `thaw`. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }
}
