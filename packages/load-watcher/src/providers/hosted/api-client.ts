import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, OperatorError } from '@catamaran/platform';
import { request } from 'undici';
import { BodyGate, readBody } from '../../body-limit.js';
import { DeadlineError, withDeadline } from '../../deadline.js';
import { excerptOf, maskKnown } from '../connection/mask-known.js';
import type { ProviderConnection } from '../connection/provider-connection.js';
import { rateLimitWaitMs } from '../connection/rate-limit.js';
import type { ProviderErrorCode } from '../metrics-provider.js';
import type { Credential } from './credential.js';
import { maskTold } from './mask-told.js';

export interface ApiClientOptions {
  /** A trailing slash of the path is dropped. */
  readonly baseUrl: URL;
  /** Header → what it carries; sent with every call. */
  readonly credentials: Readonly<Record<string, Credential>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What can be done about a status that refuses who we are; the tail of a message. */
  readonly refusedRemedy: string;
  /** Deadline of one call with its retry; 10 s. */
  readonly timeoutMs?: number;
  /** Upper bound of the random wait before the one retry; 400 ms. */
  readonly retryDelayMs?: number;
}

export interface ApiClientDeps {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly connection: ProviderConnection;
}

export interface ApiCall {
  /** Below the base, with its query. */
  readonly path: string;
  /** Sent as JSON by POST; without it the call is a GET. */
  readonly body?: object;
}

/** The parsed body of a 2xx, or a sentence on what came instead. */
export type ApiAnswer =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly problem: string;
      readonly code: ProviderErrorCode;
      readonly status: number;
    };

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed, of a 2xx that is JSON. */
  readonly value: unknown;
  /** How the body begins, without our credentials. */
  readonly begins: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_RETRY_DELAY_MS = 400;
/** Restarting or busy; the same call may work a moment later. */
const TRANSIENT = new Set([502, 503, 504]);
const REFUSED = new Set([401, 403]);
const EXCERPT_LENGTH = 200;
/** A page of 10 000 series fits. */
const BODIES = { maxBodyBytes: 32 * 1024 ** 2, maxBodies: 2 };

/** JSON over HTTPS to a service that counts calls: what it says about its limits is kept, by every later call. */
export class ApiClient {
  readonly #options: ApiClientOptions;
  readonly #deps: ApiClientDeps;
  readonly #base: string;
  /** The base, and the proxy on the way to it: for messages. */
  readonly #where: string;
  readonly #bodies = new BodyGate(BODIES);
  #limitedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: ApiClientOptions, deps: ApiClientDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#base = `${options.baseUrl.origin}${options.baseUrl.pathname.replace(/\/+$/, '')}`;
    const { proxy } = deps.connection;
    this.#where = proxy === undefined ? this.#base : `${this.#base} through the proxy ${proxy}`;
  }

  /** Never rejects except with the signal's reason. While a limit lasts nothing is sent. */
  async ask(call: ApiCall, signal: AbortSignal): Promise<ApiAnswer> {
    signal.throwIfAborted();
    const waitMs = this.#limitedUntilMs - this.#deps.clock.nowMs();
    if (waitMs > 0) return this.#limited(waitMs);
    const timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    try {
      return await withDeadline(
        { timeoutMs, what: this.#where, clock: this.#deps.clock, signal },
        async (limited) => this.#read(await this.#sendWithRetry(call, limited)),
      );
    } catch (error) {
      signal.throwIfAborted();
      return this.#broken(error);
    }
  }

  async close(): Promise<void> {
    await this.#deps.connection.close();
  }

  async #sendWithRetry(call: ApiCall, signal: AbortSignal): Promise<Received> {
    try {
      const received = await this.#send(call, signal);
      if (!TRANSIENT.has(received.status) || this.#limitedUntilMs > this.#deps.clock.nowMs()) return received;
    } catch (error) {
      if (signal.aborted || error instanceof OperatorError) throw error;
      this.#deps.connection.noticeFailure(error);
    }
    const delayMs = this.#deps.random() * (this.#options.retryDelayMs ?? DEFAULT_RETRY_DELAY_MS);
    await this.#deps.clock.sleep(delayMs, signal);
    return this.#send(call, signal);
  }

  /** What is refused is asked once more with the credentials as they are now: they may just have rotated. */
  async #send(call: ApiCall, signal: AbortSignal): Promise<Received> {
    const received = await this.#sendOnce(call, signal, false);
    const rotates = Object.values(this.#options.credentials).some((credential) => credential.rotates);
    return REFUSED.has(received.status) && rotates ? this.#sendOnce(call, signal, true) : received;
  }

  async #sendOnce(call: ApiCall, signal: AbortSignal, fresh: boolean): Promise<Received> {
    const headers: Record<string, string> = {
      accept: 'application/json',
      'content-type': 'application/json',
      ...this.#options.headers,
    };
    for (const [name, credential] of Object.entries(this.#options.credentials)) {
      headers[name] = await credential.read(fresh);
    }
    const url = `${this.#base}${call.path}`;
    const answer = await request(url, {
      method: call.body === undefined ? 'GET' : 'POST',
      headers,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      dispatcher: this.#deps.connection.dispatcher(),
      signal,
    });
    const { statusCode: status } = answer;
    const nowMs = this.#deps.clock.nowMs();
    const waitMs = rateLimitWaitMs({ status, headers: answer.headers }, nowMs);
    // Answers to parallel calls: the longest wait counts.
    if (waitMs !== undefined) this.#limitedUntilMs = Math.max(this.#limitedUntilMs, nowMs + waitMs);
    return this.#bodies.run(signal, async () => {
      const body = await readBody(answer, url, BODIES.maxBodyBytes);
      const begins = excerptOf(body, EXCERPT_LENGTH, (text) => this.#mask(text));
      const value = status >= 200 && status < 300 ? parseJson(body) : undefined;
      return { status, headers: answer.headers, value, begins };
    });
  }

  #read(received: Received): ApiAnswer {
    const { status, value } = received;
    if (status >= 200 && status < 300) {
      return value === undefined
        ? this.#problem(
            received,
            'bad-answer',
            'no JSON; does the address lead to the API, not to its web pages?',
          )
        : { ok: true, value: maskTold(value, (text) => this.#mask(text)) };
    }
    if (status === 429) {
      const waitMs = Math.max(0, this.#limitedUntilMs - this.#deps.clock.nowMs());
      return this.#problem(received, 'unreachable', `too many calls, none for another ${inSeconds(waitMs)}`);
    }
    if (REFUSED.has(status)) return this.#problem(received, 'refused', this.#options.refusedRemedy);
    const { location } = received.headers;
    return status >= 300 && status < 400
      ? this.#problem(
          received,
          'bad-answer',
          `a redirect to ${originOf(location)}: give the address that answers`,
        )
      : this.#problem(received, 'bad-answer', 'the call failed');
  }

  #limited(waitMs: number): ApiAnswer {
    const problem = `${this.#where}: rate limited before (HTTP 429 or no quota left), no call for another ${inSeconds(waitMs)}`;
    return { ok: false, code: 'unreachable', status: 429, problem };
  }

  /** What others say may repeat what was sent. */
  #mask(text: string): string {
    const masked = Object.values(this.#options.credentials).reduce(
      (before, credential) => credential.mask(before),
      text,
    );
    return maskKnown(masked, Object.values(this.#options.headers ?? {}));
  }

  #problem({ status, headers, begins }: Received, code: ProviderErrorCode, what: string): ApiAnswer {
    const type = headers['content-type'] ?? 'without a content type';
    const text = `${this.#where}: HTTP ${status}: ${what}; ${this.#mask(String(type))}, body begins ${JSON.stringify(begins)}`;
    return { ok: false, code, status, problem: text };
  }

  #broken(error: unknown): ApiAnswer {
    if (error instanceof DeadlineError)
      return { ok: false, code: 'timeout', status: 0, problem: error.message };
    if (error instanceof OperatorError)
      return { ok: false, code: 'refused', status: 0, problem: error.message };
    const { code, message } = error as { readonly code?: string; readonly message?: string };
    const what = REMEDIES[code ?? ''] ?? (message || code || String(error));
    return { ok: false, code: 'unreachable', status: 0, problem: `${this.#where}: ${this.#mask(what)}` };
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not resolve (ENOTFOUND): check --metrics-provider-address',
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED): check host and port',
};

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function inSeconds(durationMs: number): string {
  return `${Math.ceil(durationMs / 1000)} s`;
}

/** Queries of such addresses hold what logins pass on. */
function originOf(location: string | string[] | undefined): string {
  return typeof location === 'string' && URL.canParse(location) ? new URL(location).origin : 'nowhere';
}
