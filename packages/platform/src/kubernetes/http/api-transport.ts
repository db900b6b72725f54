import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, request } from 'undici';
import type { Clock } from '../../clock/clock.js';
import { maskUserPart } from '../../config/mask-secrets.js';
import { bearerTokenProblem } from '../../http/header-problem.js';
import type { Logger } from '../../log/logger.js';
import { ClusterApiError } from '../cluster-api.js';
import type { ClusterConnection } from '../connection/cluster-connection.js';
import { decodeAnswer, type HttpAnswer, isJsonType } from './answer.js';
import { readBody } from './answer-body.js';
import { connectionFailure, isCertificateFailure } from './connection-failure.js';
import { ConnectionPools, type PoolName } from './connection-pools.js';
import { Deadline, untilAborted } from './deadline.js';

const JSON_TYPE = 'application/json';
const DEFAULT_MAX_BODY_BYTES = 64 * 1024 * 1024;

export interface ApiTransportOptions {
  readonly connection: ClusterConnection;
  readonly requestTimeoutMs: number;
  /** A watch whose connection carries nothing for so long is cut. */
  readonly watchSilenceMs: number;
  readonly maxConnections: number;
  /** Longer answers to calls are refused, decompressed or not; 64 MiB, ten times a page of 500 large pods. */
  readonly maxBodyBytes?: number;
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

export interface MeasuredAnswer {
  readonly json: unknown;
  readonly sizeBytes: number;
}

type Answer = Dispatcher.ResponseData;

/** Sends calls over one pool and watches over another, with the present credentials. */
export class ApiTransport {
  readonly #options: ApiTransportOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #pools: ConnectionPools;
  readonly #maxBodyBytes: number;
  readonly #baseUrl: string;
  readonly #host: string;

  constructor(options: ApiTransportOptions, deps: { readonly clock: Clock; readonly log: Logger }) {
    this.#options = options;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#maxBodyBytes = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
    this.#baseUrl = options.connection.serverUrl.replace(/\/+$/, '');
    this.#host = new URL(this.#baseUrl).host;
    this.#pools = new ConnectionPools(options, deps);
    const { proxyUrl, proxySetting = 'proxy-url' } = options.connection;
    if (proxyUrl !== undefined) {
      const proxy = maskUserPart(proxyUrl);
      deps.log.info('calls to the API server go through a proxy', { proxy, setting: proxySetting });
    }
  }

  /** The JSON of a 2xx answer. @throws ClusterApiError, or the signal's reason. */
  async call(call: ApiCall, signal: AbortSignal): Promise<unknown> {
    return (await this.measuredCall(call, signal)).json;
  }

  /** As `call`, with the length of the JSON. */
  async measuredCall(call: ApiCall, signal: AbortSignal): Promise<MeasuredAnswer> {
    const limitMs = this.#options.requestTimeoutMs;
    const deadline = new Deadline({ clock: this.#clock, limitMs, host: this.#host }, signal);
    try {
      const answer = await this.#send('calls', call, deadline.signal);
      const read = await this.#read(answer, call);
      return { json: decodeAnswer(read), sizeBytes: read.text.length };
    } catch (error) {
      throw deadline.explain(this.#asClusterError(error));
    } finally {
      deadline.close();
    }
  }

  /** The body of a 2xx answer, in chunks as they come. Errors as `call`; a break of the stream is 'unavailable'. */
  async *stream(call: ApiCall, signal: AbortSignal, onOpen?: () => void): AsyncGenerator<Buffer> {
    try {
      const answer = await this.#send('watches', call, signal);
      if (answer.statusCode !== 200 || !isJsonType(headerOf(answer.headers, 'content-type') ?? JSON_TYPE)) {
        decodeAnswer(await this.#read(answer, call));
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
    await this.#pools.close();
  }

  /** After a 401 the token is read again and the call sent once more, if that gives another token. */
  async #send(pool: PoolName, call: ApiCall, signal: AbortSignal): Promise<Answer> {
    const { bearerToken } = this.#options.connection;
    const token = bearerToken && (await untilAborted(bearerToken(), signal));
    const answer = await this.#sendOnce(pool, call, { token, signal });
    if (answer.statusCode !== 401) return answer;
    this.#pools.suspectCertificates();
    if (bearerToken === undefined) return answer;
    const fresh = await untilAborted(bearerToken({ fresh: true }), signal);
    if (fresh === undefined || fresh === token) return answer;
    this.#log.info('the API server refused the token; trying with a new one', { host: this.#host });
    await answer.body.dump();
    return await this.#sendOnce(pool, call, { token: fresh, signal });
  }

  async #sendOnce(
    pool: PoolName,
    call: ApiCall,
    context: { readonly token: string | undefined; readonly signal: AbortSignal },
  ): Promise<Answer> {
    this.#checkToken(context.token);
    const dispatcher = await untilAborted(this.#pools.pool(pool), context.signal);
    return await request(`${this.#baseUrl}${call.path}`, {
      dispatcher,
      method: call.method,
      signal: context.signal,
      headers: {
        accept: JSON_TYPE,
        // Servers compress no watches.
        ...(pool === 'calls' ? { 'accept-encoding': 'gzip' } : {}),
        'user-agent': this.#options.userAgent,
        ...(context.token === undefined ? {} : { authorization: `Bearer ${context.token}` }),
        ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? JSON_TYPE }),
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

  async #read(answer: Answer, call: ApiCall): Promise<HttpAnswer> {
    const [path] = call.path.split('?', 1);
    const asked = `${call.method} ${maskUserPart(this.#baseUrl)}${path}`;
    return {
      host: this.#host,
      httpStatus: answer.statusCode,
      contentType: headerOf(answer.headers, 'content-type') ?? '',
      retryAfter: headerOf(answer.headers, 'retry-after'),
      location: headerOf(answer.headers, 'location'),
      text: await readBody(answer, { maxBytes: this.#maxBodyBytes, asked }),
    };
  }

  #asClusterError(error: unknown): unknown {
    if (error instanceof ClusterApiError || !(error instanceof Error)) return error;
    if (isCertificateFailure(error)) this.#pools.suspectCertificates();
    return connectionFailure(error, this.#options.connection, this.#host);
  }
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
