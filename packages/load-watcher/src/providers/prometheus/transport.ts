import { ok, problem, type Result } from '@catamaran/model';
import { type Clock, OperatorError } from '@catamaran/platform';
import { request } from 'undici';
import { readBody } from '../../body-limit.js';
import { DeadlineError, withDeadline } from '../../deadline.js';
import { TurnQueue } from '../../event-loop.js';
import type { ProviderConnection } from '../connection/provider-connection.js';
import { type Decoded, decodeAnswer, type HttpAnswer } from './decode.js';
import { SeriesTable } from './series-table.js';

export interface TransportOptions {
  /** `http://host:9090/prefix`; a trailing slash is dropped. */
  readonly baseUrl: URL;
  /** Deadline of one query with its retry; 10 s. */
  readonly timeoutMs?: number;
  /** Upper bound of the random wait before the one retry; 400 ms. */
  readonly retryDelayMs?: number;
}

export interface TransportDeps {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly connection: ProviderConnection;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_RETRY_DELAY_MS = 400;
/** Busy or restarting; the same query may work a moment later. */
const TRANSIENT = new Set([429, 502, 503, 504]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;
/** What servers and proxies answer to GET that do without, or find the address too long. */
const GET_REFUSED = new Set([403, 405, 414, 431, 501]);
/** What servers and proxies that want GET answer to POST. */
const POST_REFUSED = new Set([403, 405, 501, ...REDIRECTS]);

interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: string;
}

interface Received extends HttpAnswer {
  /** Where a redirect leads, if it can be told. */
  readonly redirect: URL | undefined;
}

/** Prometheus' query API over HTTP. */
export class PrometheusTransport {
  readonly #base: string;
  /** The base, and the proxy on the way to it: for messages. */
  readonly #where: string;
  readonly #options: TransportOptions;
  readonly #deps: TransportDeps;
  /** Label sets of all answers. */
  readonly series = new SeriesTable();
  /** Answers arrive together; read at once they would block the process. */
  readonly #turns = new TurnQueue();
  /** Learnt from the server: POST is refused, GET works. */
  #prefersGet = false;

  constructor(options: TransportOptions, deps: TransportDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#base = `${options.baseUrl.origin}${options.baseUrl.pathname.replace(/\/+$/, '')}`;
    const { proxy } = deps.connection;
    this.#where = proxy === undefined ? this.#base : `${this.#base} through the proxy ${proxy}`;
  }

  get address(): string {
    return this.#base;
  }

  /**
   * An instant query, evaluated at the server's own now: a difference of clocks then can't empty a range. Never
   * rejects except with the signal's reason.
   */
  async query(promql: string, signal: AbortSignal): Promise<Decoded> {
    const timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    try {
      return await withDeadline(
        { timeoutMs, what: this.#where, clock: this.#deps.clock, signal },
        (limited) => this.#queryWithRetry(promql, limited),
      );
    } catch (error) {
      signal.throwIfAborted();
      return problem(this.#explain(error));
    }
  }

  /** Whether the server is there: its health page, or any answer to a trivial query where that page is not served. */
  async probe(signal: AbortSignal): Promise<Result<undefined>> {
    const timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    try {
      const answer = await withDeadline(
        { timeoutMs, what: this.#where, clock: this.#deps.clock, signal },
        (limited) => this.#send({ method: 'GET', url: `${this.#base}/-/healthy` }, limited),
      );
      // A login page or a catch-all answers 200 to everything.
      if (answer.status === 200 && !answer.contentType.includes('html')) return ok(undefined);
    } catch (error) {
      signal.throwIfAborted();
      return problem(this.#explain(error));
    }
    const answer = await this.query('vector(1)', signal);
    return answer.ok ? ok(undefined) : answer;
  }

  async close(): Promise<void> {
    await this.#deps.connection.close();
  }

  async #queryWithRetry(promql: string, signal: AbortSignal): Promise<Decoded> {
    try {
      const answer = await this.#ask(promql, signal);
      if (!TRANSIENT.has(answer.status)) return await this.#decode(answer);
    } catch (error) {
      if (signal.aborted) throw error;
    }
    const delayMs = this.#deps.random() * (this.#options.retryDelayMs ?? DEFAULT_RETRY_DELAY_MS);
    await this.#deps.clock.sleep(delayMs, signal);
    return this.#decode(await this.#ask(promql, signal));
  }

  async #decode(answer: Received): Promise<Decoded> {
    if (REDIRECTS.has(answer.status)) return problem(this.#explainRedirect(answer));
    const decoded = await this.#turns.run(() => decodeAnswer(answer, this.series));
    if (decoded.ok) return decoded;
    const text = `${this.#where}: ${decoded.problem}${this.#deps.connection.remedyFor(answer.status)}`;
    return { ...decoded, problem: text };
  }

  async #ask(promql: string, signal: AbortSignal): Promise<Received> {
    const parameters = new URLSearchParams({ query: promql }).toString();
    const url = `${this.#base}/api/v1/query`;
    const get = (): Promise<Received> => this.#follow(`${url}?${parameters}`, signal);
    if (this.#prefersGet) {
      const answer = await get();
      if (!GET_REFUSED.has(answer.status)) return answer;
      this.#prefersGet = false;
    }
    const posted = await this.#send({ method: 'POST', url, body: parameters }, signal);
    if (!POST_REFUSED.has(posted.status)) return posted;
    const answer = await get();
    this.#prefersGet = answer.status === 200;
    return answer;
  }

  /** Redirects are followed where they stay on the server, which gets the credentials. */
  async #follow(url: string, signal: AbortSignal): Promise<Received> {
    let answer = await this.#send({ method: 'GET', url }, signal);
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      if (answer.redirect?.origin !== this.#options.baseUrl.origin) break;
      answer = await this.#send({ method: 'GET', url: answer.redirect.href }, signal);
    }
    return answer;
  }

  /** A 401 is answered with the token as it is now, once: it may just have rotated. */
  async #send(call: Call, signal: AbortSignal): Promise<Received> {
    const answer = await this.#sendOnce(call, signal, false);
    return answer.status === 401 && this.#deps.connection.tokenRotates
      ? this.#sendOnce(call, signal, true)
      : answer;
  }

  async #sendOnce(call: Call, signal: AbortSignal, fresh: boolean): Promise<Received> {
    const { connection } = this.#deps;
    const form = call.body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const { statusCode, headers, body } = await request(call.url, {
      method: call.method,
      headers: { accept: 'application/json', ...form, ...(await connection.headers(fresh)) },
      ...(call.body === undefined ? {} : { body: call.body }),
      dispatcher: connection.dispatcher(),
      signal,
    });
    const { 'content-type': type, location } = headers;
    return {
      status: statusCode,
      contentType: typeof type === 'string' ? type : '',
      body: await readBody(body, call.url),
      redirect: REDIRECTS.has(statusCode) ? redirectOf(location, call.url) : undefined,
    };
  }

  #explainRedirect({ status, redirect }: Received): string {
    if (redirect === undefined) return `${this.#where}: HTTP ${status}, a redirect without a Location`;
    // Queries of such addresses hold what logins pass on.
    const target = `${redirect.origin}${redirect.pathname}`;
    return `${this.#where}: HTTP ${status}, a redirect to ${target}: give the address that answers with --metrics-provider-address, or credentials if that is a login page`;
  }

  #explain(error: unknown): string {
    if (error instanceof DeadlineError || error instanceof OperatorError) return error.message;
    const { code, message } = error as { readonly code?: string; readonly message?: string };
    const { proxy } = this.#deps.connection;
    if (proxy !== undefined && isProxyFailure(code, message)) {
      return `${this.#base}: the proxy ${proxy} does not let us through (${message || code}): check HTTP_PROXY, HTTPS_PROXY, and whether the host belongs into NO_PROXY`;
    }
    return `${this.#where}: ${REMEDIES[code ?? ''] ?? (message || code || String(error))}`;
  }
}

/** Through a proxy only the proxy is connected to; undici tells a refused tunnel by its text. */
function isProxyFailure(code = '', message = ''): boolean {
  return UNREACHED.has(code) || /\bproxy\b/i.test(message);
}

const UNREACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function redirectOf(location: string | string[] | undefined, from: string): URL | undefined {
  return typeof location === 'string' && URL.canParse(location, from) ? new URL(location, from) : undefined;
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not resolve (ENOTFOUND): check the address and the namespace in it',
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED): check host and port',
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned('DEPTH_ZERO_SELF_SIGNED_CERT'),
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned('SELF_SIGNED_CERT_IN_CHAIN'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: selfSigned('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: selfSigned('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
};

function selfSigned(code: string): string {
  return `the certificate is signed by an unknown authority (${code}): give its CA with --metrics-provider-ca-file, or skip the check with --insecure-skip-verify`;
}
