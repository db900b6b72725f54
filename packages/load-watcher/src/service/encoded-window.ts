import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { encodeWatcherParts, type WatcherDocument } from '@catamaran/model';

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

/**
 * A document as bytes, made once per refresh: a request only writes them. The document of one host is cut out of the
 * whole at its first request and kept; so is the compressed form.
 */
export class EncodedWindow {
  readonly document: WatcherDocument;
  readonly whole: EncodedBody;
  readonly #headBytes: number;
  readonly #tail: Buffer;
  /** Begin and end of each host's text in `whole`. */
  readonly #spans: ReadonlyMap<string, readonly [number, number]>;
  readonly #hosts = new Map<string, EncodedBody>();
  #gzip: Promise<EncodedBody | undefined> | undefined;
  #gzipReady: EncodedBody | undefined;

  constructor(document: WatcherDocument) {
    const { head, nodes, tail } = encodeWatcherParts(document);
    const spans = new Map<string, readonly [number, number]>();
    this.#headBytes = Buffer.byteLength(head);
    let at = this.#headBytes;
    for (const [name, text] of nodes) {
      const end = at + Buffer.byteLength(text);
      spans.set(name, [at, end]);
      at = end + 1;
    }
    this.document = document;
    this.#spans = spans;
    this.#tail = Buffer.from(tail);
    this.whole = encodedBody(Buffer.from(head + [...nodes.values()].join(',') + tail));
  }

  /** The document with only this host, or undefined when it has no figures. */
  host(name: string): EncodedBody | undefined {
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const span = this.#spans.get(name);
    if (span === undefined) return undefined;
    const { bytes } = this.whole;
    const body = encodedBody(
      Buffer.concat([bytes.subarray(0, this.#headBytes), bytes.subarray(...span), this.#tail]),
    );
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

  async #compress(): Promise<EncodedBody | undefined> {
    const { bytes, etag } = this.whole;
    if (bytes.length < MIN_GZIP_BYTES) return undefined;
    const packed = await compress(bytes, { level: GZIP_LEVEL });
    this.#gzipReady = bodyOf(packed, etag.replace(/"$/, '-gzip"'), ['Content-Encoding', 'gzip']);
    return this.#gzipReady;
  }
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
