import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { decodeWatcherDocument, type WatcherDocument } from '@catamaran/model';
import { type Clock, headerProblem, OperatorError } from '@catamaran/platform';
import { request } from 'undici';
import { MAX_BODY_BYTES, readBody } from '../body-limit.js';
import { DeadlineError, withDeadline } from '../deadline.js';
import { connectionRemedy, statusRemedy } from './failure-remedy.js';
import { SharedRefresh } from './shared-refresh.js';
import { WatcherAccess, type WatcherAccessOptions } from './watcher-access.js';
import { documentUrl } from './watcher-address.js';
import type { WatcherClient, WatcherFailure, WatcherFailureCode, WatcherState } from './watcher-client.js';

export interface HttpWatcherClientOptions extends WatcherAccessOptions {
  /** Base addresses such as `http://load-watcher.monitoring:2020`, in order of preference; at least one. */
  readonly addresses: readonly string[];
  /** Deadline for one address; 10 s. */
  readonly timeoutMs?: number;
}

interface Fetched {
  readonly document: WatcherDocument;
  readonly etag: string | undefined;
  readonly address: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const decompress = promisify(gunzip);

class FetchFailure extends Error {
  readonly code: WatcherFailureCode;

  constructor(code: WatcherFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads `/watcher` of our load-watcher or the Go one. Addresses are tried from the last good one on; an unchanged
 * document costs a 304.
 */
export class HttpWatcherClient implements WatcherClient {
  readonly #options: HttpWatcherClientOptions;
  readonly #urls: readonly string[];
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #access: WatcherAccess;
  readonly #shared = new SharedRefresh();
  #preferred = 0;
  #last: Fetched | undefined;
  #state: WatcherState = { document: undefined, receivedAtMs: undefined, lastFailure: undefined };

  /** @throws WatcherAddressError for an address that can't be one, OperatorError for a CA file that is no good. */
  constructor(options: HttpWatcherClientOptions, deps: { readonly clock: Clock }) {
    if (options.addresses.length === 0) throw new TypeError('a watcher client needs at least one address');
    this.#options = options;
    this.#urls = options.addresses.map(documentUrl);
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#clock = deps.clock;
    this.#access = new WatcherAccess(options);
  }

  current(): WatcherState {
    return this.#state;
  }

  async refresh(signal: AbortSignal): Promise<WatcherState> {
    await this.#shared.run(signal, (own) => this.#refresh(own));
    return this.#state;
  }

  async close(): Promise<void> {
    await this.#shared.close();
    await this.#access.close();
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const failures: WatcherFailure[] = [];
    for (let turn = 0; turn < this.#urls.length; turn += 1) {
      const index = (this.#preferred + turn) % this.#urls.length;
      try {
        this.#accept(await this.#fetch(this.#urls[index] ?? '', signal));
        this.#preferred = index;
        return;
      } catch (error) {
        signal.throwIfAborted();
        failures.push(failureOf(error, this.#urls[index] ?? '', this.#options));
      }
    }
    const [first] = failures;
    if (first !== undefined) {
      const message = failures.map((failure) => failure.message).join('; ');
      this.#state = { ...this.#state, lastFailure: { code: first.code, message } };
    }
  }

  #accept(fetched: Fetched): void {
    this.#last = fetched;
    this.#state = {
      document: fetched.document,
      receivedAtMs: this.#clock.nowMs(),
      lastFailure: undefined,
    };
  }

  #fetch(url: string, signal: AbortSignal): Promise<Fetched> {
    return withDeadline({ timeoutMs: this.#timeoutMs, what: url, clock: this.#clock, signal }, (limited) =>
      this.#get(url, limited),
    );
  }

  async #get(url: string, signal: AbortSignal): Promise<Fetched> {
    const known = this.#last?.address === url ? this.#last : undefined;
    const response = await request(url, {
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }),
        ...(await this.#access.headers()),
      },
      dispatcher: await this.#access.dispatcher(),
      signal,
    });
    const raw = await readBody(response, url);
    if (response.statusCode === 304 && known !== undefined) return known;
    if (response.statusCode !== 200) throw badStatus(url, response.statusCode, this.#options);
    const encoded = /^(x-)?gzip$/i.test(response.headers['content-encoding']?.toString().trim() ?? '');
    const document = decodeBody(url, (encoded ? await unpacked(url, raw) : raw).toString('utf8'));
    const { etag } = response.headers;
    const repeatable = typeof etag === 'string' && headerProblem('if-none-match', etag) === undefined;
    return { document, etag: repeatable ? etag : undefined, address: url };
  }
}

/** At most `MAX_BODY_BYTES` of it. */
async function unpacked(url: string, body: Buffer): Promise<Buffer> {
  try {
    return await decompress(body, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    const { message } = error as Error;
    throw new FetchFailure(
      'undecodable',
      `${url}: no gzip as its header says, or too much of it (${message})`,
    );
  }
}

function decodeBody(url: string, text: string): WatcherDocument {
  const decoded = decodeWatcherDocument(text);
  if (!decoded.ok) {
    throw new FetchFailure(
      'undecodable',
      `${url}: ${decoded.problem}; is a load-watcher behind this address?`,
    );
  }
  if (decoded.value.nodes.size === 0) {
    throw new FetchFailure(
      'empty-document',
      `${url}: the document names no node; see the load-watcher's log for why`,
    );
  }
  return decoded.value;
}

function badStatus(url: string, status: number, access: WatcherAccessOptions): FetchFailure {
  if (status === 500 || status === 503) {
    return new FetchFailure(
      'no-data',
      `${url}: HTTP ${status}: the load-watcher has no data to serve; see its /readyz and log`,
    );
  }
  return new FetchFailure('bad-status', `${url}: HTTP ${status}: ${statusRemedy(status, access)}`);
}

function failureOf(error: unknown, url: string, access: WatcherAccessOptions): WatcherFailure {
  if (error instanceof FetchFailure) return { code: error.code, message: error.message };
  if (error instanceof DeadlineError) return { code: 'timeout', message: error.message };
  const why = error instanceof OperatorError ? error.message : connectionRemedy(error, url, access);
  return { code: 'unreachable', message: `${url}: ${why}` };
}
