import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { encodeWatcherParts, type WatcherDocument } from '@catamaran/model';

import { nextTurn } from '../event-loop.js';

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
/** Half the time of the default level for a few percent more bytes. */
const GZIP_LEVEL = 4;

interface Encoding {
  readonly whole: EncodedBody;
  readonly headBytes: number;
  readonly tail: Buffer;
  /** Begin and end of each host's text in `whole`. */
  readonly spans: ReadonlyMap<string, readonly [number, number]>;
}

/**
 * A document as bytes, made once: a request only writes them. The document of one host is cut out of the whole at its
 * first request and kept; so is the compressed form. Windows that nobody asks for are never encoded.
 */
export class EncodedWindow {
  readonly #makeDocument: () => WatcherDocument;
  readonly #hosts = new Map<string, EncodedBody>();
  #document: WatcherDocument | undefined;
  #encoding: Encoding | undefined;
  #gzip: Promise<EncodedBody | undefined> | undefined;
  #gzipReady: EncodedBody | undefined;

  /** @param makeDocument is called once, when somebody first asks. */
  constructor(makeDocument: () => WatcherDocument) {
    this.#makeDocument = makeDocument;
  }

  get document(): WatcherDocument {
    this.#document ??= this.#makeDocument();
    return this.#document;
  }

  get whole(): EncodedBody {
    return this.#encoded().whole;
  }

  /** The document with only this host, or undefined when it has no figures. */
  host(name: string): EncodedBody | undefined {
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const { whole, headBytes, tail, spans } = this.#encoded();
    const span = spans.get(name);
    if (span === undefined) return undefined;
    const { bytes } = whole;
    const body = encodedBody(Buffer.concat([bytes.subarray(0, headBytes), bytes.subarray(...span), tail]));
    this.#hosts.set(name, body);
    return body;
  }

  /** The compressed whole, when it has been made. */
  get gzipReady(): EncodedBody | undefined {
    return this.#gzipReady;
  }

  /** Compresses once, off the event loop; undefined where it isn't worth it. */
  gzip(): Promise<EncodedBody | undefined> {
    this.#gzip ??= this.#compress();
    return this.#gzip;
  }

  /** Makes what requests will ask for, in turns that leave the event loop free in between. */
  async prepare(): Promise<void> {
    void this.document;
    await nextTurn();
    this.#encoded();
    await nextTurn();
    await this.gzip();
  }

  #encoded(): Encoding {
    this.#encoding ??= encode(this.document);
    return this.#encoding;
  }

  async #compress(): Promise<EncodedBody | undefined> {
    const { bytes, etag } = this.whole;
    if (bytes.length < MIN_GZIP_BYTES) return undefined;
    const packed = await compress(bytes, { level: GZIP_LEVEL });
    this.#gzipReady = bodyOf(packed, etag.replace(/"$/, '-gzip"'), ['Content-Encoding', 'gzip']);
    return this.#gzipReady;
  }
}

function encode(document: WatcherDocument): Encoding {
  const { head, nodes, tail } = encodeWatcherParts(document);
  const spans = new Map<string, readonly [number, number]>();
  const headBytes = Buffer.byteLength(head);
  let at = headBytes;
  for (const [name, text] of nodes) {
    const end = at + Buffer.byteLength(text);
    spans.set(name, [at, end]);
    at = end + 1;
  }
  const whole = encodedBody(Buffer.from(head + [...nodes.values()].join(',') + tail));
  return { whole, headBytes, tail: Buffer.from(tail), spans };
}

function encodedBody(bytes: Buffer): EncodedBody {
  return bodyOf(bytes, `"${createHash('sha1').update(bytes).digest('base64url')}"`);
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
