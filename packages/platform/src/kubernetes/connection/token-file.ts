import type { Clock } from '../../clock/clock.js';
import { readTextFile } from '../../config/regular-file.js';
import { bearerTokenProblem } from '../../http/header-problem.js';
import { ClusterConnectionError } from './cluster-connection.js';

/** Projected service-account tokens are replaced about hourly, a while before they expire. */
const REREAD_AFTER_MS = 60_000;

/** A bearer token in a file that others replace. */
export class TokenFile {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'nowMs'>;
  #cached: { readonly token: Promise<string>; readonly readMs: number } | undefined;

  constructor(path: string, clock: Pick<Clock, 'nowMs'>) {
    this.#path = path;
    this.#clock = clock;
  }

  /** The token, at most 60 s old; with `fresh`, read now. @throws ClusterConnectionError naming the file. */
  async token(options: { readonly fresh?: boolean } = {}): Promise<string> {
    const nowMs = this.#clock.nowMs();
    const known = this.#cached;
    if (known !== undefined && options.fresh !== true && Math.abs(nowMs - known.readMs) < REREAD_AFTER_MS) {
      return await known.token;
    }
    const token = this.#read();
    this.#cached = { token, readMs: nowMs };
    try {
      return await token;
    } catch (error) {
      this.#cached = undefined;
      throw error;
    }
  }

  async #read(): Promise<string> {
    const text = await readTextFile(this.#path).catch((cause: Error) => {
      const message = `token file ${this.#path} can't be read (${cause.message}); check that it is mounted`;
      throw new ClusterConnectionError(message, { cause });
    });
    const token = text.trim();
    const problem = bearerTokenProblem(token);
    if (problem === undefined) return token;
    throw new ClusterConnectionError(`token file ${this.#path} can't be used: ${problem}`);
  }
}
