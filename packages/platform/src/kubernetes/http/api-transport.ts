import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, errors, request } from 'undici';
import type { Clock } from '../../clock/clock.js';
import { bearerTokenProblem } from '../../http/header-problem.js';
import type { Logger } from '../../log/logger.js';
import { ClusterApiError } from '../cluster-api.js';
import type { ClusterConnection } from '../connection/cluster-connection.js';
import { decodeAnswer, type HttpAnswer } from './answer.js';
import { Deadline, untilAborted } from './deadline.js';
import { openDispatcher } from './dispatchers.js';

const CONNECT_TIMEOUT_MS = 5_000;
const HEADERS_TIMEOUT_MS = 30_000;

export interface ApiTransportOptions {
  readonly connection: ClusterConnection;
  readonly requestTimeoutMs: number;
  /** A watch whose connection carries nothing for so long is cut. */
  readonly watchSilenceMs: number;
  readonly maxConnections: number;
  readonly userAgent: string;
}

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, below the server's URL. */
  readonly path: string;
  readonly body?: unknown;
  /** `application/json` unless given. */
  readonly contentType?: string;
}

type Answer = Dispatcher.ResponseData;

/** Sends calls over one pool and watches over another, with the present credentials. */
export class ApiTransport {
  readonly #options: ApiTransportOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #calls: Dispatcher;
  readonly #watches: Dispatcher;
  readonly #baseUrl: string;
  readonly #host: string;

  constructor(options: ApiTransportOptions, deps: { readonly clock: Clock; readonly log: Logger }) {
    this.#options = options;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#baseUrl = options.connection.serverUrl.replace(/\/+$/, '');
    this.#host = new URL(this.#baseUrl).host;
    const timeouts = { connectMs: CONNECT_TIMEOUT_MS, headersMs: HEADERS_TIMEOUT_MS };
    this.#calls = openDispatcher(
      options.connection,
      { ...timeouts, bodyMs: options.requestTimeoutMs },
      options.maxConnections,
    );
    this.#watches = openDispatcher(options.connection, { ...timeouts, bodyMs: options.watchSilenceMs }, 0);
  }

  /** The JSON of a 2xx answer. @throws ClusterApiError, or the signal's reason. */
  async call(call: ApiCall, signal: AbortSignal): Promise<unknown> {
    const limitMs = this.#options.requestTimeoutMs;
    const deadline = new Deadline({ clock: this.#clock, limitMs, host: this.#host }, signal);
    try {
      const answer = await this.#send(this.#calls, call, deadline.signal);
      return decodeAnswer(await this.#read(answer));
    } catch (error) {
      throw deadline.explain(this.#asClusterError(error));
    } finally {
      deadline.close();
    }
  }

  /** The body of a 2xx answer, in chunks as they come. Errors as `call`; a break of the stream is 'unavailable'. */
  async *stream(call: ApiCall, signal: AbortSignal, onOpen?: () => void): AsyncGenerator<Buffer> {
    try {
      const answer = await this.#send(this.#watches, call, signal);
      if (answer.statusCode !== 200) {
        decodeAnswer(await this.#read(answer));
        throw new ClusterApiError('invalid-answer', `${this.#host} answered ${answer.statusCode} to a watch`);
      }
      onOpen?.();
      for await (const chunk of answer.body) yield chunk as Buffer;
    } catch (error) {
      signal.throwIfAborted();
      throw this.#asClusterError(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#calls.destroy(), this.#watches.destroy()]);
  }

  /** After a 401 the token is read again and the call sent once more, if that gives another token. */
  async #send(dispatcher: Dispatcher, call: ApiCall, signal: AbortSignal): Promise<Answer> {
    const { bearerToken } = this.#options.connection;
    const token = bearerToken && (await untilAborted(bearerToken(), signal));
    const answer = await this.#sendOnce(dispatcher, call, { token, signal });
    if (answer.statusCode !== 401 || bearerToken === undefined) return answer;
    const fresh = await untilAborted(bearerToken({ fresh: true }), signal);
    if (fresh === undefined || fresh === token) return answer;
    this.#log.info('the API server refused the token; trying with a new one', { host: this.#host });
    await answer.body.dump();
    return await this.#sendOnce(dispatcher, call, { token: fresh, signal });
  }

  async #sendOnce(
    dispatcher: Dispatcher,
    call: ApiCall,
    context: { readonly token: string | undefined; readonly signal: AbortSignal },
  ): Promise<Answer> {
    context.signal.throwIfAborted();
    this.#checkToken(context.token);
    return await request(`${this.#baseUrl}${call.path}`, {
      dispatcher,
      method: call.method,
      signal: context.signal,
      headers: {
        accept: 'application/json',
        'user-agent': this.#options.userAgent,
        ...(context.token === undefined ? {} : { authorization: `Bearer ${context.token}` }),
        ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
  }

  /** A header that can't be sent would cost the pool a connection for ever. */
  #checkToken(token: string | undefined): void {
    const problem = token === undefined ? undefined : bearerTokenProblem(token);
    if (problem === undefined) return;
    const { describe } = this.#options.connection;
    throw new ClusterApiError('unauthorized', `the bearer token of ${describe} can't be sent: ${problem}`);
  }

  async #read(answer: Answer): Promise<HttpAnswer> {
    return {
      host: this.#host,
      httpStatus: answer.statusCode,
      contentType: headerOf(answer.headers, 'content-type') ?? '',
      retryAfter: headerOf(answer.headers, 'retry-after'),
      text: await answer.body.text(),
    };
  }

  #asClusterError(error: unknown): unknown {
    if (error instanceof ClusterApiError || !(error instanceof Error)) return error;
    const timedOut =
      error instanceof errors.ConnectTimeoutError ||
      error instanceof errors.HeadersTimeoutError ||
      error instanceof errors.BodyTimeoutError;
    const { code } = error as NodeJS.ErrnoException;
    const detail =
      code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
    return new ClusterApiError(timedOut ? 'timeout' : 'unavailable', `${this.#host}: ${detail}`, {
      cause: error,
    });
  }
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
