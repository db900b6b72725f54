import {
  bearerTokenProblem,
  type Clock,
  headerProblem,
  maskUserPart,
  OperatorError,
  readTextFile,
} from '@catamaran/platform';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import { maskKnown } from './mask-known.js';
import { isOfTls, type Pem, type PemPaths, readPem, tryReadPem, unreadable } from './pem-files.js';
import { tokenExpiryMs } from './token-expiry.js';

/** How to reach a source of figures, how to prove who we are, and how it proves itself to us. */
export interface ConnectionOptions extends PemPaths {
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly skipTlsVerify?: boolean;
  /** Of an HTTP proxy; may hold user and password. */
  readonly proxyUrl?: string | undefined;
}

const MAX_CONNECTIONS = 12;
/** Tokens and certificates rotate long before they expire; this is soon enough. */
const REREAD_MS = 30_000;
const FORCED_REREAD_MS = 1_000;
/** Requests in flight over the old certificate get this long. */
const RETIRE_MS = 60_000;

/** Connections to one source, with credentials that follow their files. */
export class ProviderConnection {
  readonly #origin: string;
  readonly #options: ConnectionOptions;
  readonly #clock: Clock;
  readonly #basic: string | undefined;
  #pem: Pem;
  #pemReadMs: number;
  #pemForcedMs = Number.NEGATIVE_INFINITY;
  #dispatcher: Dispatcher;
  readonly #retired = new Set<Dispatcher>();
  #tokenBefore: string | undefined;
  #token: { readonly text: string; readonly readMs: number } | undefined;

  /** @throws OperatorError naming the file when a PEM file can't be read; when token or headers can't be sent. */
  constructor(baseUrl: URL, options: ConnectionOptions, deps: { readonly clock: Clock }) {
    const [unsendable] = credentialProblems(options);
    if (unsendable !== undefined) throw new OperatorError(`${options.peer ?? 'Prometheus'}: ${unsendable}`);
    this.#origin = baseUrl.origin;
    this.#options = options;
    this.#clock = deps.clock;
    this.#basic = basicAuthorization(baseUrl);
    this.#pem = readPem(options);
    this.#pemReadMs = deps.clock.nowMs();
    this.#dispatcher = this.#open();
  }

  /** The pool to use now. New certificate files lead to a new pool; unreadable ones leave the old. */
  dispatcher(): Dispatcher {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#pemReadMs < REREAD_MS) return this.#dispatcher;
    this.#pemReadMs = nowMs;
    const next = tryReadPem(this.#options);
    if (next !== undefined && JSON.stringify(next) !== JSON.stringify(this.#pem)) {
      this.#pem = next;
      this.#retire(this.#dispatcher);
      this.#dispatcher = this.#open();
    }
    return this.#dispatcher;
  }

  /** A certificate may have been replaced: after a failure of TLS the files are read again, at most once a second. */
  noticeFailure(error: unknown): void {
    const nowMs = this.#clock.nowMs();
    const { code = '' } = error as { readonly code?: string };
    if (!isOfTls(code) || nowMs - this.#pemForcedMs < FORCED_REREAD_MS) return;
    this.#pemForcedMs = nowMs;
    this.#pemReadMs = Number.NEGATIVE_INFINITY;
  }

  /**
   * Headers of the next request.
   * @param fresh reads the token again, after a 401.
   * @throws OperatorError naming the token file when it can't be read and never could, or holds no token.
   */
  async headers(fresh: boolean): Promise<Readonly<Record<string, string>>> {
    const token = await this.#readToken(fresh);
    const authorization = token === undefined ? this.#basic : `Bearer ${token}`;
    return { ...(authorization === undefined ? {} : { authorization }), ...this.#options.headers };
  }

  /** Whether a fresh reading can give another token. */
  get tokenRotates(): boolean {
    return (this.#options.tokenFile ?? '') !== '';
  }

  /** The proxy on the way, for people. */
  get proxy(): string | undefined {
    const { proxyUrl } = this.#options;
    return proxyUrl === undefined ? undefined : maskUserPart(proxyUrl);
  }

  /** A text of somebody else's without our credentials. */
  mask(text: string): string {
    const { token, headers = {} } = this.#options;
    const basic = this.#basic === undefined ? [] : basicSecrets(this.#basic);
    const given = [
      token?.trim(),
      this.#token?.text,
      this.#tokenBefore,
      ...basic,
      ...Object.values(headers).flatMap(partsOf),
    ];
    return maskKnown(
      text,
      given.filter((secret) => secret !== undefined),
    );
  }

  /** What can be done about a status that refuses who we are; the tail of a message. */
  remedyFor(httpStatus: number): string {
    if (httpStatus !== 401 && httpStatus !== 403) return '';
    const expiresMs = tokenExpiryMs(this.#options.token ?? '');
    if (expiresMs !== undefined && expiresMs <= this.#clock.nowMs()) {
      return `; the token expired at ${new Date(expiresMs).toISOString()}: give --metrics-provider-token-file, which follows rotation`;
    }
    const what = httpStatus === 401 ? 'it wants other credentials' : 'these credentials may not query';
    return `; ${what}: see --metrics-provider-token-file, --metrics-provider-token, --metrics-provider-headers, --metrics-provider-cert-file`;
  }

  async close(): Promise<void> {
    await Promise.all([this.#dispatcher, ...this.#retired].map((dispatcher) => dispatcher.destroy()));
  }

  async #readToken(fresh: boolean): Promise<string | undefined> {
    const { token, tokenFile } = this.#options;
    if (tokenFile === undefined || tokenFile === '') return token?.trim() || undefined;
    const nowMs = this.#clock.nowMs();
    if (fresh || this.#token === undefined || nowMs - this.#token.readMs >= REREAD_MS) {
      const text = await readTextFile(tokenFile).catch((error: unknown) => {
        if (this.#token === undefined) throw unreadable('the bearer token for Prometheus', tokenFile, error);
      });
      this.#tokenBefore = this.#token?.text;
      if (text !== undefined) this.#token = { text: usableToken(text.trim(), tokenFile), readMs: nowMs };
    }
    return this.#token?.text;
  }

  #open(): Dispatcher {
    const { ca, cert, key } = this.#pem;
    const tls = {
      rejectUnauthorized: this.#options.skipTlsVerify !== true,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    };
    const { proxyUrl } = this.#options;
    return proxyUrl === undefined
      ? new Pool(this.#origin, { connections: MAX_CONNECTIONS, connect: tls })
      : new ProxyAgent({ uri: proxyUrl, requestTls: tls, connections: MAX_CONNECTIONS });
  }

  #retire(dispatcher: Dispatcher): void {
    this.#retired.add(dispatcher);
    this.#clock.schedule(RETIRE_MS, () => {
      this.#retired.delete(dispatcher);
      void dispatcher.destroy();
    });
  }
}

/** What of the given token and headers no request can carry; by option, never the values. */
export function credentialProblems({ token, headers }: ConnectionOptions): readonly string[] {
  const problems: string[] = [];
  const given = token?.trim() ?? '';
  const ofToken = given === '' ? undefined : bearerTokenProblem(given);
  if (ofToken !== undefined) problems.push(`--metrics-provider-token (METRICS_PROVIDER_TOKEN): ${ofToken}`);
  for (const [name, value] of Object.entries(headers ?? {})) {
    const problem = headerProblem(name, value);
    if (problem === undefined) continue;
    const which = headerProblem(name, '') === undefined ? `${name}: ` : '';
    problems.push(`--metrics-provider-headers (METRICS_PROVIDER_HEADERS): ${which}${problem}`);
  }
  return problems;
}

/** A file that holds none is read again for the next request. */
function usableToken(text: string, tokenFile: string): string {
  const problem = bearerTokenProblem(text);
  if (problem === undefined) return text;
  throw new OperatorError(
    `the bearer token for Prometheus, ${tokenFile}, can't be used: ${problem}; write the token alone into the file`,
  );
}

function basicAuthorization(url: URL): string | undefined {
  if (url.username === '') return undefined;
  const user = decodeURIComponent(url.username);
  return `Basic ${Buffer.from(`${user}:${decodeURIComponent(url.password)}`).toString('base64')}`;
}

/** As it is sent, and the password in it. */
function basicSecrets(authorization: string): readonly string[] {
  const [, base64 = ''] = authorization.split(' ');
  const pair = Buffer.from(base64, 'base64').toString('utf8');
  return [base64, pair, pair.slice(pair.indexOf(':') + 1)];
}

/** A header's value, and what follows its scheme, as in `Custom KEY`. */
function partsOf(value: string): readonly string[] {
  return [value, value.slice(value.indexOf(' ') + 1)].map((part) => part.trim());
}
