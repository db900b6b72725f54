import type { ServerResponse } from 'node:http';
import type { Status } from '@catamaran/model';
import { ClusterApiError } from '@catamaran/platform';
import { ApiFailure } from '../core/api/status.js';

export function sendJson(response: ServerResponse, httpStatus: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(httpStatus, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

export function sendText(response: ServerResponse, httpStatus: number, text: string): void {
  response.writeHead(httpStatus, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
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
