import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WatcherDocument } from '@catamaran/model';
import { runAtOnce, runInSlices } from '../event-loop.js';
import { documentOf, type Encoding, encodeWindow, entityTag, type WindowContent } from './encode-window.js';

export interface EncodedBody {
  readonly bytes: Buffer;
  /** Strong entity tag, quoted. */
  readonly etag: string;
  /** Of a 200, as name, value, name, value. */
  readonly headers: readonly string[];
}

const compress = promisify(gzip);
/** Below this a compressed body saves no packet. */
const MIN_GZIP_BYTES = 1_400;
/** Of 5,000 nodes 13 ms and 268 kB; the default level takes 30 ms for 247 kB, level 4 longer for more bytes than 3. */
const GZIP_LEVEL = 3;

/**
 * A document as bytes, made once: a request only writes them. The document of one host is cut out of the whole at its
 * first request and kept. What nobody asks for is never made: each window notes what it was asked for, and the next
 * one of its length is given exactly that before it is served.
 */
export class EncodedWindow {
  readonly #content: WindowContent;
  readonly #hosts = new Map<string, EncodedBody>();
  #document: WatcherDocument | undefined;
  #encoding: Encoding | undefined;
  #whole: EncodedBody | undefined;
  #making: Promise<EncodedBody> | undefined;
  #gzip: Promise<EncodedBody> | undefined;
  #gzipReady: EncodedBody | undefined;
  readonly #asked = { whole: false, gzip: false };

  constructor(content: WindowContent) {
    this.#content = content;
  }

  get document(): WatcherDocument {
    this.#document ??= documentOf(this.#content);
    return this.#document;
  }

  /** Whether `host` answers without encoding the whole first. */
  get isReady(): boolean {
    return this.#encoding !== undefined;
  }

  /** The body of a request for the whole; a promise only when it has to be made first. */
  ask(form: 'identity' | 'gzip'): EncodedBody | Promise<EncodedBody> {
    this.#asked.whole = true;
    if (form === 'identity') return this.#whole ?? this.prepare();
    this.#asked.gzip = true;
    return this.#gzipReady ?? this.gzip();
  }

  /** Encodes at once what `prepare` has not encoded yet. */
  get whole(): EncodedBody {
    return this.#whole ?? this.#take(runAtOnce(encodeWindow(this.#content)));
  }

  /** The document with only this host, or undefined when it has no figures. */
  host(name: string): EncodedBody | undefined {
    this.#asked.whole = true;
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const { bytes } = this.whole;
    const span = this.#encoding?.spans.get(name);
    if (this.#encoding === undefined || span === undefined) return undefined;
    const { head, tail } = this.#encoding;
    const own = Buffer.concat([head, bytes.subarray(...span), tail]);
    const body = bodyOf(own, entityTag(own));
    this.#hosts.set(name, body);
    return body;
  }

  /** The compressed whole, when it has been made. */
  get gzipReady(): EncodedBody | undefined {
    return this.#gzipReady;
  }

  /** Compresses once, off the event loop; the whole as it is where that isn't worth it, or fails. */
  gzip(): Promise<EncodedBody> {
    this.#gzip ??= this.#compress();
    return this.#gzip;
  }

  /** Encodes once, in slices that leave the event loop free in between. */
  prepare(): Promise<EncodedBody> {
    this.#making ??= runInSlices(encodeWindow(this.#content)).then((encoding) => this.#take(encoding));
    return this.#making;
  }

  /** Makes all that the window before this one was asked for. */
  async prepareLike(before: EncodedWindow | undefined): Promise<void> {
    if (before === undefined) return;
    if (before.#asked.whole) await this.prepare();
    if (before.#asked.gzip) await this.gzip();
  }

  #take(encoding: Encoding): EncodedBody {
    this.#encoding ??= encoding;
    this.#whole ??= bodyOf(this.#encoding.bytes, this.#encoding.etag);
    return this.#whole;
  }

  async #compress(): Promise<EncodedBody> {
    const whole = await this.prepare();
    const packed =
      whole.bytes.length < MIN_GZIP_BYTES
        ? undefined
        : await compress(whole.bytes, { level: GZIP_LEVEL }).catch(() => undefined);
    this.#gzipReady =
      packed === undefined
        ? whole
        : bodyOf(packed, whole.etag.replace(/"$/, '-gzip"'), ['Content-Encoding', 'gzip']);
    return this.#gzipReady;
  }
}

function bodyOf(bytes: Buffer, etag: string, more: readonly string[] = []): EncodedBody {
  const length = String(bytes.length);
  const headers = [
    'Content-Type',
    'application/json',
    'Content-Length',
    length,
    'ETag',
    etag,
    'Vary',
    'Accept-Encoding',
  ];
  return { bytes, etag, headers: [...headers, ...more] };
}
