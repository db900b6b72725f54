import { OperatorError } from '@catamaran/platform';

const MIB = 1024 ** 2;
/** Many times what a cluster of 20 000 nodes takes; more would be somebody else's file, and cost our memory. */
export const MAX_BODY_BYTES = 64 * MIB;

/** A body as it comes, with its headers. */
export interface IncomingBody {
  readonly body: AsyncIterable<Buffer>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Reads a body of at most so many bytes.
 * @param url where it comes from, for the message; its query is left out.
 * @throws OperatorError when it is larger, or says that it will be; the rest is not read.
 */
export async function readBody(
  { body, headers }: IncomingBody,
  url: string,
  maxBytes = MAX_BODY_BYTES,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (Math.max(bytes, Number(headers['content-length'] ?? 0)) > maxBytes) {
      const [address] = url.split('?');
      throw new OperatorError(
        `${address}: the answer is larger than ${maxBytes / MIB} MiB: is this the right address, and the query narrow enough?`,
      );
    }
    chunks.push(chunk);
  }
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, bytes);
}

export interface BodyGateOptions {
  readonly maxBodyBytes: number;
  /** Bodies that are read and made use of at the same time; others wait, unread. */
  readonly maxBodies: number;
}

/** Bounds what all bodies that arrive together hold: their greatest size times their number. */
export class BodyGate {
  readonly maxBodyBytes: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor({ maxBodyBytes, maxBodies }: BodyGateOptions) {
    this.maxBodyBytes = maxBodyBytes;
    this.#free = maxBodies;
  }

  /**
   * Runs `use`, which reads a body and is done with it when it settles.
   * @throws the signal's reason when it aborts before its turn; whatever `use` throws.
   */
  async run<T>(signal: AbortSignal, use: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await use();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
