import { maskText } from '../config/mask-secrets.js';
import { createLogger, logLevelOf, type RootLogger } from '../log/create-logger.js';
import { OperatorError } from './operator-error.js';

/** Leaves room below the 5 s within which a stopped process is gone. */
const STOP_TIMEOUT_MS = 4_500;
/** Launchers often deliver one signal twice: to the process group, and once more by passing it on. */
const SAME_SIGNAL_MS = 250;

export interface MainContext {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** At the level of `LOG_LEVEL`, or `info`; `setLevel` changes it. */
  readonly log: RootLogger;
  /** Aborts at the first SIGTERM or SIGINT, before `close` is called. */
  readonly stop: AbortSignal;
}

export interface RunningProcess {
  /** Ends everything; idempotent. */
  close(): Promise<void>;
  /** Settles when the work ends by itself, with the exit code; by default it goes on until a signal. */
  readonly finished?: Promise<number>;
}

/** Undefined: everything is done, as after `--help`. */
export type Main = (context: MainContext) => Promise<RunningProcess | undefined>;

/**
 * Runs a program's `main` and owns the process: SIGTERM or SIGINT closes it and exits 0, a second signal exits at
 * once, as does a close that hangs; an OperatorError is printed as one readable message (exit 1, wrong usage 2), any
 * other failure is logged with its stack (exit 1).
 */
export function runMain(
  name: string,
  main: Main,
  options: { readonly stopTimeoutMs?: number } = {},
): Promise<void> {
  const log = createLogger({ name, level: logLevelOf(process.env.LOG_LEVEL ?? '') ?? 'info' });
  return new ProcessOwner(name, log, options.stopTimeoutMs ?? STOP_TIMEOUT_MS).run(main);
}

class ProcessOwner {
  readonly #name: string;
  readonly #log: RootLogger;
  readonly #stopTimeoutMs: number;
  readonly #stop = new AbortController();
  #running: RunningProcess | undefined;
  #signalledAtMs: number | undefined;
  #deadline: NodeJS.Timeout | undefined;

  constructor(name: string, log: RootLogger, stopTimeoutMs: number) {
    this.#name = name;
    this.#log = log;
    this.#stopTimeoutMs = stopTimeoutMs;
  }

  async run(main: Main): Promise<void> {
    process.on('SIGTERM', () => this.#onSignal('SIGTERM'));
    process.on('SIGINT', () => this.#onSignal('SIGINT'));
    // Node.js' own listener would print them among our lines.
    process.removeAllListeners('warning');
    process.on('warning', (warning) => this.#log.warn('process warning', { error: warning }));
    process.on('uncaughtException', (error) => this.#fail(error));
    process.on('unhandledRejection', (reason) => this.#fail(reason));
    process.stdout.on('error', (error: NodeJS.ErrnoException) => this.#onStdoutError(error));
    try {
      const context = {
        argv: process.argv.slice(2),
        env: process.env,
        log: this.#log,
        stop: this.#stop.signal,
      };
      this.#running = await main(context);
    } catch (error) {
      this.#onStartError(error);
    }
    await this.#untilFinished();
  }

  async #untilFinished(): Promise<void> {
    const { finished } = this.#running ?? {};
    // Once stopped, what the work ends with is of no interest any more; `close` is what counts.
    const outcome = finished?.catch((error: unknown) => (this.#stop.signal.aborted ? 0 : this.#fail(error)));
    if (this.#running === undefined || this.#stop.signal.aborted) {
      await this.#end(0);
    } else if (outcome !== undefined) {
      const exitCode = await outcome;
      await this.#end(this.#stop.signal.aborted ? 0 : exitCode);
    }
  }

  /** A start that was cut short by a signal is no failure, whatever error it ended with. */
  #onStartError(error: unknown): void {
    if (!this.#stop.signal.aborted) {
      this.#fail(error);
    }
    if (error !== this.#stop.signal.reason) {
      this.#log.warn('start cut short', { error });
    }
    process.exit(0);
  }

  #onSignal(signal: NodeJS.Signals): void {
    const nowMs = performance.now();
    if (this.#signalledAtMs !== undefined) {
      if (nowMs - this.#signalledAtMs > SAME_SIGNAL_MS) {
        process.exit(1);
      }
      return;
    }
    this.#signalledAtMs = nowMs;
    this.#log.info('stopping', { signal });
    this.#setDeadline();
    this.#stop.abort(new Error(`stopped by ${signal}`));
    if (this.#running !== undefined) {
      void this.#end(0);
    }
  }

  #setDeadline(): void {
    if (this.#deadline === undefined) {
      this.#deadline = setTimeout(() => this.#giveUp(), this.#stopTimeoutMs);
    }
  }

  async #end(exitCode: number): Promise<void> {
    this.#setDeadline();
    try {
      await this.#running?.close();
    } catch (error) {
      this.#fail(error);
    }
    process.exit(exitCode);
  }

  #giveUp(): void {
    this.#log.error('did not stop in time', {
      timeoutMs: this.#stopTimeoutMs,
      stage: this.#running === undefined ? 'still starting' : 'close() has not finished',
      openHandles: countedNames(process.getActiveResourcesInfo()),
    });
    process.exit(1);
  }

  #fail(error: unknown): never {
    if (error instanceof OperatorError) {
      process.stderr.write(`${this.#name}: ${maskText(error.message)}\n`);
      process.exit(error.exitCode);
    }
    this.#log.error('failed', { error });
    process.exit(1);
  }

  /** Whoever read our output has gone, as in `… | head -1`. */
  #onStdoutError(error: NodeJS.ErrnoException): void {
    if (error.code === 'EPIPE') {
      process.exit(0);
    }
    this.#fail(error);
  }
}

function countedNames(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
