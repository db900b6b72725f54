import type { Status } from '@catamaran/model';
import { maskUserPart } from '../../config/mask-secrets.js';
import { ClusterApiError } from '../cluster-api.js';
import { errorCodeOf, statusError } from '../status-error.js';

export interface HttpAnswer {
  /** Whom we asked, for messages: host and port. */
  readonly host: string;
  readonly httpStatus: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  /** Where a redirection leads. */
  readonly location?: string | undefined;
  readonly text: string;
}

const EXCERPT_LENGTH = 200;

/**
 * The JSON of a successful answer.
 * @throws ClusterApiError for any other.
 */
export function decodeAnswer(answer: HttpAnswer): unknown {
  const parsed = parseJson(answer);
  if (answer.httpStatus >= 200 && answer.httpStatus < 300) {
    if (parsed === undefined)
      throw isJsonType(answer.contentType) ? brokenJson(answer) : notAnApiServer(answer);
    return parsed;
  }
  throw failure(answer, parsed);
}

function failure(answer: HttpAnswer, parsed: unknown): ClusterApiError {
  const retryAfterMs = retryAfterMsOf(answer.retryAfter);
  if (isStatus(parsed)) return statusError({ ...parsed, code: answer.httpStatus }, retryAfterMs);
  const { httpStatus } = answer;
  if (httpStatus < 400) return redirection(answer);
  // Paths that nothing serves are answered in plain text; a gateway's error page says only that the server is away.
  const isOwn = httpStatus >= 401 && answer.contentType.startsWith('text/plain');
  if (!isOwn && httpStatus < 500 && httpStatus !== 401 && httpStatus !== 403 && httpStatus !== 429) {
    return notAnApiServer(answer);
  }
  return new ClusterApiError(errorCodeOf(httpStatus), `${describe(answer)}: ${excerpt(answer.text)}`, {
    httpStatus,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function parseJson(answer: HttpAnswer): unknown {
  if (!isJsonType(answer.contentType)) return undefined;
  try {
    return JSON.parse(answer.text) as unknown;
  } catch {
    return undefined;
  }
}

export function isJsonType(contentType: string): boolean {
  return /^application\/(?:[\w.+-]*\+)?json\b/i.test(contentType);
}

function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'Status';
}

function notAnApiServer(answer: HttpAnswer): ClusterApiError {
  const message = `${describe(answer)}, which no Kubernetes API server sends; check the server address. It begins: ${excerpt(answer.text)}`;
  return new ClusterApiError('invalid-answer', message, { httpStatus: answer.httpStatus });
}

/** Cut off on the way, or written by something that is no API server. */
function brokenJson(answer: HttpAnswer): ClusterApiError {
  const { text, httpStatus } = answer;
  const message = `${describe(answer)}, but its ${text.length} characters are no whole JSON; something between here and the API server may cut answers off. They end: ${text.trim().slice(-EXCERPT_LENGTH)}`;
  return new ClusterApiError('invalid-answer', message, { httpStatus });
}

function redirection(answer: HttpAnswer): ClusterApiError {
  const { httpStatus, host, location = 'nowhere' } = answer;
  const message = `${host} answered ${httpStatus} and points to ${maskUserPart(location)}; redirections are not followed: give the address of the API server itself`;
  return new ClusterApiError('invalid-answer', message, { httpStatus });
}

function describe(answer: HttpAnswer): string {
  return `${answer.host} answered ${answer.httpStatus} with ${answer.contentType === '' ? 'no content type' : answer.contentType}`;
}

function excerpt(text: string): string {
  return text.trim().slice(0, EXCERPT_LENGTH);
}

/** Only the form in seconds: API servers send no other. */
function retryAfterMsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : undefined;
}
