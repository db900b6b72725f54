import type { Status } from '@catamaran/model';
import { ClusterApiError, type ClusterApiErrorCode } from './cluster-api.js';

const BY_HTTP_STATUS: Readonly<Record<number, ClusterApiErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
  429: 'throttled',
  504: 'timeout',
};

/** What a caller does about an HTTP status of 400 or above. */
export function errorCodeOf(httpStatus: number): ClusterApiErrorCode {
  return BY_HTTP_STATUS[httpStatus] ?? (httpStatus >= 500 ? 'unavailable' : 'rejected');
}

/** The error that a Status of kind Failure stands for. `retryAfterMs` is the header's, which wins over the details. */
export function statusError(status: Status, retryAfterMs?: number): ClusterApiError {
  const seconds = status.details?.retryAfterSeconds;
  const delayMs = retryAfterMs ?? (typeof seconds === 'number' ? seconds * 1000 : undefined);
  return new ClusterApiError(errorCodeOf(status.code), status.message ?? status.reason ?? 'no message', {
    httpStatus: status.code,
    ...(delayMs === undefined ? {} : { retryAfterMs: delayMs }),
    ...(status.reason === undefined ? {} : { reason: status.reason }),
  });
}
