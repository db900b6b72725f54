import { OperatorError } from '@catamaran/platform';

/** Many times what a cluster of 20 000 nodes takes; more would be somebody else's file, and cost our memory. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * Reads a body of at most `MAX_BODY_BYTES`.
 * @param url where it comes from, for the message; its query is left out.
 * @throws OperatorError when it is larger; the rest is not read.
 */
export async function readBody(body: AsyncIterable<Buffer>, url: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      const [address] = url.split('?');
      throw new OperatorError(
        `${address}: the answer is larger than ${MAX_BODY_BYTES / 1024 ** 2} MiB: is this the right address, and the query narrow enough?`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
