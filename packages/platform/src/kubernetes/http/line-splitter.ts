import { ClusterApiError } from '../cluster-api.js';

const NEWLINE = 0x0a;

/**
 * Cuts a byte stream into lines, wherever its chunks end: within a line, within a character. Empty lines are dropped.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** Bytes of a line that has not ended yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /**
   * The lines that this chunk completes.
   * @throws ClusterApiError 'invalid-answer' when a line exceeds the limit.
   */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      const line = this.#take();
      if (line !== '') lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  #keep(bytes: Buffer): void {
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > this.#maxLineBytes) {
      throw new ClusterApiError(
        'invalid-answer',
        `a line of the watch is longer than ${this.#maxLineBytes} bytes; the peer does not seem to be an API server`,
      );
    }
    this.#pending.push(bytes);
  }

  #take(): string {
    const [only] = this.#pending;
    const line = this.#pending.length === 1 && only !== undefined ? only : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return line.toString('utf8').trim();
  }
}
