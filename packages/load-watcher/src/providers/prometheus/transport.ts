import type { IncomingHttpHeaders } from 'node:http';
import { ok, problem, type Result } from '@catamaran/model';
import { type Clock, OperatorError } from '@catamaran/platform';
import { request } from 'undici';
import { BodyGate, readBody } from '../../body-limit.js';
import { withDeadline } from '../../deadline.js';
import { TurnQueue } from '../../event-loop.js';
import type { ProviderConnection } from '../connection/provider-connection.js';
import { rateLimitWaitMs } from '../connection/rate-limit.js';
import { type Decoded, decodeAnswer } from './decode.js';
import { describeRoute, explainFailure, explainRedirect, type Route } from './explain-failure.js';
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
const TRANSIENT = new Set([502, 503, 504]);
/** A longer `Retry-After` is a mistake that must not make all figures too old. */
const MAX_WAIT_MS = 120_000;
/** An answer of so many bytes has the series of 20 000 nodes; all together fit into a container of 256 MiB. */
const BODIES = { maxBodyBytes: 16 * 1024 ** 2, maxBodies: 4 };
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

interface Received {
  readonly status: number;
  readonly contentType: string;
  readonly decoded: Decoded;
  /** Where a redirect leads, if it can be told. */
  readonly redirect: URL | undefined;
}

/** Prometheus' query API over HTTP. */
export class PrometheusTransport {
  readonly #base: string;
  readonly #route: Route;
  readonly #options: TransportOptions;
  readonly #deps: TransportDeps;
  /** Label sets of all answers. */
  readonly series = new SeriesTable();
  /** Answers arrive together; read at once they would block the process. */
  readonly #turns = new TurnQueue();
  readonly #bodies = new BodyGate(BODIES);
  /** Until then the server wants no query. */
  #limitedUntilMs = Number.NEGATIVE_INFINITY;
  /** Learnt from the server: POST is refused, GET works. */
  #prefersGet = false;

  constructor(options: TransportOptions, deps: TransportDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#base = `${options.baseUrl.origin}${options.baseUrl.pathname.replace(/\/+$/, '')}`;
    this.#route = { base: this.#base, proxy: deps.connection.proxy };
  }

  get address(): string {
    return this.#base;
  }

  /**
   * An instant query, evaluated at the server's own now: a difference of clocks then can't empty a range. Never
   * rejects except with the signal's reason. Nothing is sent while the server wants no query.
   */
  async query(promql: string, signal: AbortSignal): Promise<Decoded> {
    signal.throwIfAborted();
    const waitMs = this.#limitedUntilMs - this.#deps.clock.nowMs();
    if (waitMs > 0) {
      const text = `rate limited before (Retry-After), no query for another ${Math.ceil(waitMs / 1000)} s`;
      return problem(`${describeRoute(this.#route)}: ${text}`);
    }
    try {
      return await this.#withDeadline(signal, (limited) => this.#queryWithRetry(promql, limited));
    } catch (error) {
      signal.throwIfAborted();
      return problem(this.#explain(error));
    }
  }

  /** Whether the server is there: its health page, or any answer to a trivial query where that page is not served. */
  async probe(signal: AbortSignal): Promise<Result<undefined>> {
    try {
      const answer = await this.#withDeadline(signal, (limited) =>
        this.#send({ method: 'GET', url: `${this.#base}/-/healthy` }, limited),
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

  #withDeadline<T>(signal: AbortSignal, work: (limited: AbortSignal) => Promise<T>): Promise<T> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const what = describeRoute(this.#route);
    return withDeadline({ timeoutMs, what, clock: this.#deps.clock, signal }, work);
  }

  async #queryWithRetry(promql: string, signal: AbortSignal): Promise<Decoded> {
    try {
      const answer = await this.#ask(promql, signal);
      const isLimited = this.#limitedUntilMs > this.#deps.clock.nowMs();
      if (isLimited || !TRANSIENT.has(answer.status)) return this.#read(answer);
    } catch (error) {
      // What is too large or unreadable stays so.
      if (signal.aborted || error instanceof OperatorError) throw error;
      this.#deps.connection.noticeFailure(error);
    }
    const delayMs = this.#deps.random() * (this.#options.retryDelayMs ?? DEFAULT_RETRY_DELAY_MS);
    await this.#deps.clock.sleep(delayMs, signal);
    return this.#read(await this.#ask(promql, signal));
  }

  #read({ status, redirect, decoded }: Received): Decoded {
    const { connection } = this.#deps;
    if (REDIRECTS.has(status))
      return problem(connection.mask(explainRedirect(status, redirect, this.#route)));
    if (decoded.ok) return decoded;
    const text = `${describeRoute(this.#route)}: ${decoded.problem}${connection.remedyFor(status)}`;
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
    this.#noteLimit(statusCode, headers);
    const { 'content-type': type, location } = headers;
    const contentType = typeof type === 'string' ? type : '';
    const mask = (text: string): string => connection.mask(text);
    const decoded = await this.#bodies.run(signal, async () => {
      const bytes = await readBody({ body, headers }, call.url, BODIES.maxBodyBytes);
      const answer = { status: statusCode, contentType, body: bytes, mask };
      return this.#turns.run(() => decodeAnswer(answer, this.series));
    });
    const redirect = REDIRECTS.has(statusCode) ? redirectOf(location, call.url) : undefined;
    return { status: statusCode, contentType, decoded, redirect };
  }

  /** Answers to parallel queries: the longest wait counts. Without a `Retry-After` the next refresh asks again. */
  #noteLimit(status: number, headers: IncomingHttpHeaders): void {
    if (headers['retry-after'] === undefined) return;
    const nowMs = this.#deps.clock.nowMs();
    const waitMs = rateLimitWaitMs({ status, headers }, nowMs);
    if (waitMs === undefined) return;
    this.#limitedUntilMs = Math.max(this.#limitedUntilMs, nowMs + Math.min(waitMs, MAX_WAIT_MS));
  }

  #explain(error: unknown): string {
    return this.#deps.connection.mask(explainFailure(error, this.#route));
  }
}

function redirectOf(location: string | string[] | undefined, from: string): URL | undefined {
  return typeof location === 'string' && URL.canParse(location, from) ? new URL(location, from) : undefined;
}
