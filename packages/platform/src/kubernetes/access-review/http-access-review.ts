import type { Clock } from '../../clock/clock.js';
import type { Logger } from '../../log/logger.js';
import { ClusterApiError } from '../cluster-api.js';
import type { ClusterConnection } from '../connection/cluster-connection.js';
import { ApiTransport } from '../http/api-transport.js';
import {
  type AccessReviewApi,
  type AccessVerdict,
  MAX_REVIEWS,
  type PathRequest,
  type ReviewedUser,
} from './access-review.js';

const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const DEFAULT_REQUEST_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 1_048_576;

export interface HttpAccessReviewOptions {
  readonly connection: ClusterConnection;
  /** Deadline of one review; 10 s, as Kubernetes components have it. */
  readonly requestTimeoutMs?: number;
}

type Json = Readonly<Record<string, unknown>>;

/** Reviews by a real API server. Close it when done: it holds sockets. */
export class HttpAccessReview implements AccessReviewApi {
  readonly #transport: ApiTransport;

  constructor(options: HttpAccessReviewOptions, deps: { readonly clock: Clock; readonly log: Logger }) {
    const requestTimeoutMs = options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS;
    this.#transport = new ApiTransport(
      {
        connection: options.connection,
        requestTimeoutMs,
        watchSilenceMs: requestTimeoutMs,
        // A review that waited for one that hangs would be late itself.
        maxConnections: MAX_REVIEWS,
        maxBodyBytes: MAX_BODY_BYTES,
        userAgent: 'catamaran',
      },
      deps,
    );
  }

  async reviewToken(token: string, signal: AbortSignal): Promise<ReviewedUser | undefined> {
    const spec = { token };
    const status = await this.#review({ path: AUTHENTICATION, kind: 'TokenReview', spec }, signal);
    return status.authenticated === true ? userOf(status.user) : undefined;
  }

  async reviewAccess({ user, path, verb }: PathRequest, signal: AbortSignal): Promise<AccessVerdict> {
    const { username, uid, groups, extra } = user;
    const spec = { user: username, uid, groups, extra, nonResourceAttributes: { path, verb } };
    const status = await this.#review({ path: AUTHORIZATION, kind: 'SubjectAccessReview', spec }, signal);
    if (typeof status.allowed !== 'boolean') throw strange('SubjectAccessReview', status);
    return { allowed: status.allowed, reason: typeof status.reason === 'string' ? status.reason : '' };
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #review(
    { path, kind, spec }: { readonly path: string; readonly kind: string; readonly spec: object },
    signal: AbortSignal,
  ): Promise<Json> {
    const call = {
      method: 'POST',
      path: `${path}/${kind.toLowerCase()}s`,
      body: { apiVersion: path.replace('/apis/', ''), kind, spec },
    } as const;
    const answer = await this.#transport.call(call, signal);
    const status = isMap(answer) ? answer.status : undefined;
    if (!isMap(status)) throw strange(kind, answer);
    return status;
  }
}

function userOf(value: unknown): ReviewedUser {
  if (!isMap(value) || typeof value.username !== 'string' || value.username === '') {
    throw strange('TokenReview', value);
  }
  const { username, uid, groups, extra } = value;
  return {
    username,
    groups: isTexts(groups) ? groups : [],
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(isMap(extra)
      ? {
          extra: Object.fromEntries(
            Object.entries(extra).flatMap(([key, texts]) => (isTexts(texts) ? [[key, texts] as const] : [])),
          ),
        }
      : {}),
  };
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Never tells what was answered: it may hold the token. */
function strange(kind: string, value: unknown): ClusterApiError {
  const what = isMap(value) ? `fields ${Object.keys(value).join(', ') || 'none'}` : typeof value;
  return new ClusterApiError('invalid-answer', `the answer to a ${kind} is none: ${what}`);
}
