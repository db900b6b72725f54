import { ok, problem, type Result } from '@catamaran/model';
import {
  bearerTokenProblem,
  type Clock,
  type Logger,
  OperatorError,
  readTextFile,
} from '@catamaran/platform';
import { sameSecret } from './bearer-token.js';

export interface TokenFileDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Logger;
}

interface Known {
  readonly token: string;
  readonly readMs: number;
}

/** Soon enough for one who has just replaced the token, and not a reading for each request. */
const REREAD_MS = 1_000;

/** The token of a file that others replace. A file that holds none is reported once, and the token before it stays. */
export class TokenFile {
  readonly #path: string;
  readonly #deps: TokenFileDeps;
  #known: Known;
  #fault: string | undefined;
  #reading: Promise<void> | undefined;

  private constructor(path: string, token: string, deps: TokenFileDeps) {
    this.#path = path;
    this.#deps = deps;
    this.#known = { token, readMs: deps.clock.nowMs() };
  }

  /** @throws OperatorError naming the option and the file when that holds no token. */
  static async open(path: string, deps: TokenFileDeps): Promise<TokenFile> {
    const read = await readToken(path);
    if (!read.ok) throw new OperatorError(`--watcher-token-file: ${read.problem}`);
    return new TokenFile(path, read.value, deps);
  }

  /** Whether this is the token. Never rejects. */
  async accepts(shown: string): Promise<boolean> {
    if (this.#deps.clock.nowMs() - this.#known.readMs >= REREAD_MS) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return sameSecret(shown, this.#known.token);
  }

  async #read(): Promise<void> {
    const read = await readToken(this.#path);
    const { token } = this.#known;
    this.#known = { token: read.ok ? read.value : token, readMs: this.#deps.clock.nowMs() };
    const fault = read.ok ? undefined : read.problem;
    if (fault !== undefined && fault !== this.#fault) {
      this.#deps.log.error('token of /watcher not changed: the new file is no good', { reason: fault });
    } else if (read.ok && read.value !== token) {
      this.#deps.log.info('token of /watcher read again');
    }
    this.#fault = fault;
  }
}

/** What is wrong with a file that should hold a token now. */
export async function tokenFileProblem(path: string): Promise<string | undefined> {
  const read = await readToken(path);
  return read.ok ? undefined : read.problem;
}

async function readToken(path: string): Promise<Result<string>> {
  try {
    const token = (await readTextFile(path)).trim();
    const unusable = bearerTokenProblem(token);
    return unusable === undefined
      ? ok(token)
      : problem(`${path} can't be used: ${unusable}; write the token alone into the file`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return problem(`${path} can't be read (${code ?? message}): check path and mount`);
  }
}
