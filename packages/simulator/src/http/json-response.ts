import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Status } from '@catamaran/model';
import { ClusterApiError } from '@catamaran/platform';
import { ApiFailure } from '../core/api/status.js';

const compress = promisify(gzip);
const COMPRESSED_FROM_BYTES = 128 * 1024;

export function sendJson(response: ServerResponse, httpStatus: number, body: unknown): void {
  sendBytes(response, httpStatus, Buffer.from(JSON.stringify(body)));
}

/** Like a real server, which compresses what is longer than 128 KiB for whoever accepts it. */
export async function sendLargeJson(
  response: ServerResponse,
  httpStatus: number,
  body: unknown,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  const accepted = String(response.req.headers['accept-encoding'] ?? '');
  response.setHeader('vary', 'Accept, Accept-Encoding');
  if (bytes.length <= COMPRESSED_FROM_BYTES || !/(^|,)\s*gzip\s*(,|$)/.test(accepted)) {
    sendBytes(response, httpStatus, bytes);
    return;
  }
  const compressed = await compress(bytes, { level: 1 });
  response.setHeader('content-encoding', 'gzip');
  sendBytes(response, httpStatus, compressed);
}

export function sendText(response: ServerResponse, httpStatus: number, text: string): void {
  response.writeHead(httpStatus, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}

function sendBytes(response: ServerResponse, httpStatus: number, bytes: Buffer): void {
  response.writeHead(httpStatus, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

/** The Status to answer a failure with; undefined for one that is nobody's doing but ours. */
export function statusOf(error: unknown): Status | undefined {
  if (error instanceof ApiFailure) return error.status;
  if (!(error instanceof ClusterApiError)) return undefined;
  const { httpStatus, reason, message } = error;
  const code = httpStatus === 0 ? 500 : httpStatus;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code,
    message,
    ...(reason === undefined ? {} : { reason }),
  };
}

export function internalError(): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred',
  };
}
