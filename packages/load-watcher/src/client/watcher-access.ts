import { X509Certificate } from 'node:crypto';
import { bearerTokenProblem, OperatorError, readTextFile, readTextFileSync } from '@catamaran/platform';
import { Agent, type Dispatcher, interceptors } from 'undici';

/** How a load-watcher knows us, and we it; by the names of plugin arguments, which messages say. */
export interface WatcherAccessOptions {
  /** File with the bearer token that it wants. */
  readonly watcherTokenFile?: string | undefined;
  /** PEM file of the authorities that may have signed its certificate, instead of the public ones. */
  readonly watcherCaFile?: string | undefined;
}

const MAX_REDIRECTS = 3;

/**
 * Connections to load-watchers and what is shown there. Both files are read for each request: there is one per refresh.
 * Redirects to another server are followed without the token.
 */
export class WatcherAccess {
  readonly #options: WatcherAccessOptions;
  #ca: string | undefined;
  #token: string | undefined;
  #agent: Agent;
  #dispatcher: Dispatcher;

  /** @throws OperatorError when the CA file holds no certificate. */
  constructor(options: WatcherAccessOptions) {
    this.#options = options;
    const { watcherCaFile } = options;
    this.#ca = watcherCaFile === undefined ? undefined : readCa(watcherCaFile);
    [this.#agent, this.#dispatcher] = open(this.#ca);
  }

  /**
   * The pool to use now. Only between requests: new authorities close the connections that the old ones had vouched for.
   * A file that is no good leaves them as they are.
   */
  async dispatcher(): Promise<Dispatcher> {
    const { watcherCaFile } = this.#options;
    if (watcherCaFile === undefined) return this.#dispatcher;
    const ca = await readTextFile(watcherCaFile).catch(() => '');
    if (ca === this.#ca || caProblem(ca) !== undefined) return this.#dispatcher;
    const old = this.#agent;
    this.#ca = ca;
    [this.#agent, this.#dispatcher] = open(ca);
    await old.destroy();
    return this.#dispatcher;
  }

  /** @throws OperatorError when the token file holds no token, or can't be read and never could. */
  async headers(): Promise<Readonly<Record<string, string>>> {
    const { watcherTokenFile } = this.#options;
    if (watcherTokenFile === undefined) return {};
    const text = await readTextFile(watcherTokenFile).catch((error: NodeJS.ErrnoException) => {
      // While the file is being replaced, what it held is good enough.
      if (this.#token !== undefined) return this.#token;
      throw unreadable('watcherTokenFile', watcherTokenFile, error);
    });
    const token = text.trim();
    const problem = bearerTokenProblem(token);
    if (problem !== undefined) {
      throw new OperatorError(
        `watcherTokenFile: ${watcherTokenFile} can't be used: ${problem}; write the token alone into the file`,
      );
    }
    this.#token = token;
    return { authorization: `Bearer ${token}` };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

function open(ca: string | undefined): [Agent, Dispatcher] {
  const agent = new Agent({ connections: 2, ...(ca === undefined ? {} : { connect: { ca } }) });
  return [agent, agent.compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTS }))];
}

function readCa(path: string): string {
  let ca: string;
  try {
    ca = readTextFileSync(path);
  } catch (error) {
    throw unreadable('watcherCaFile', path, error as NodeJS.ErrnoException);
  }
  const problem = caProblem(ca);
  if (problem !== undefined) {
    throw new OperatorError(`watcherCaFile: ${path} holds no certificate in PEM: ${problem}`);
  }
  return ca;
}

function caProblem(pem: string): string | undefined {
  try {
    void new X509Certificate(pem);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function unreadable(argument: string, path: string, { code, message }: NodeJS.ErrnoException): OperatorError {
  return new OperatorError(`${argument}: ${path} can't be read (${code ?? message}): check path and mount`);
}
