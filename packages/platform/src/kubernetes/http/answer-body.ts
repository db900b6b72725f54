import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { ANSWER_TOO_LARGE, ClusterApiError } from '../cluster-api.js';

const gunzipBytes = promisify(gunzip);
const MIB = 1024 * 1024;

export interface BodyLimit {
  readonly maxBytes: number;
  /** For messages: method and URL. */
  readonly asked: string;
}

/**
 * The whole body as text, decompressed beside the event loop.
 * @throws ClusterApiError 'invalid-answer' for one that is longer than the limit, before or after decompression, is no
 * gzip though it says so, or comes in another encoding.
 */
export async function readBody(answer: Dispatcher.ResponseData, limit: BodyLimit): Promise<string> {
  const announced = Number(answer.headers['content-length'] ?? 0);
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (announced > limit.maxBytes) {
    await answer.body.dump({ limit: 0 }).catch(() => undefined);
    throw tooLarge(limit);
  }
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limit.maxBytes) throw tooLarge(limit);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks, bytes);
  const encoding = String(answer.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || bytes === 0) return body.toString('utf8');
  if (encoding === 'gzip') return (await decompress(body, limit)).toString('utf8');
  throw new ClusterApiError(
    'invalid-answer',
    `${limit.asked}: the answer comes as ${encoding}, but only gzip was asked for; something between here and the API server encodes it`,
  );
}

async function decompress(body: Buffer, limit: BodyLimit): Promise<Buffer> {
  try {
    return await gunzipBytes(body, { maxOutputLength: limit.maxBytes });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw new ClusterApiError(
      'invalid-answer',
      `${limit.asked}: the answer can't be decompressed: ${message}`,
      {
        cause: error,
      },
    );
  }
}

function tooLarge({ asked, maxBytes }: BodyLimit): ClusterApiError {
  return new ClusterApiError(
    'invalid-answer',
    `${asked}: the answer is longer than ${Math.floor(maxBytes / MIB)} MiB, which is more than we read; the peer may not be an API server, or its objects are too large`,
    { reason: ANSWER_TOO_LARGE },
  );
}
