import type { Clock } from '../../clock/clock.js';
import type { Logger } from '../../log/logger.js';
import { isClusterApiError } from '../cluster-api.js';
import {
  type AccessReviewApi,
  type AccessVerdict,
  MAX_REVIEWS,
  type PathRequest,
  type ReviewedUser,
} from './access-review.js';
import { RecentAnswers, TooManyQuestionsError } from './recent-answers.js';

export interface DelegatedAccessOptions {
  /** How long the answer to a token counts, also that it is nobody's. */
  readonly tokenTtlMs: number;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
}

export interface DelegatedAccessDeps {
  /** TokenReview. */
  readonly authentication: Pick<AccessReviewApi, 'reviewToken'>;
  /** SubjectAccessReview. */
  readonly authorization: Pick<AccessReviewApi, 'reviewAccess'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What a request shows of its sender. */
export interface ShownCredentials {
  readonly bearerToken?: string;
  /** From a client certificate that was verified. */
  readonly certificateUser?: ReviewedUser;
  /** A client certificate was shown that nobody we trust vouches for. */
  readonly badCertificate?: boolean;
  /** An `Authorization` was shown that holds no bearer token. */
  readonly badAuthorization?: boolean;
}

/** What is wanted, and from where: nobody's reviews crowd out those of other addresses. */
export interface AccessRequest extends Omit<PathRequest, 'user'> {
  readonly address: string;
}

export interface Decision {
  /** What to answer; 200: let it pass. */
  readonly status: 200 | 401 | 403 | 414 | 500 | 503;
  /** For the client; empty when it passes. */
  readonly message: string;
}

/** As in Kubernetes: whoever shows nothing is somebody too, whom roles may name. */
const ANONYMOUS: ReviewedUser = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
const AUTHENTICATED = 'system:authenticated';
const PASS: Decision = { status: 200, message: '' };
const UNAUTHORIZED: Decision = { status: 401, message: 'Unauthorized' };
const BUSY: Decision = { status: 503, message: 'too many requests are being authorised; try again' };

/** As many as Kubernetes' own caches of this kind hold, about. */
const MAX_KEPT = 4_096;
const MAX_ASKED_BY_ONE = 16;
/** Far above any path of ours. */
const MAX_PATH = 1_024;
const TOO_LONG: Decision = { status: 414, message: `no path here has more than ${MAX_PATH} characters` };

/** Lets the API server decide who may read what, with Kubernetes' answers: 401, 403, and 500 when it can't be asked. */
export class DelegatedAccess {
  readonly #deps: DelegatedAccessDeps;
  readonly #users: RecentAnswers<ReviewedUser | undefined>;
  readonly #verdicts: RecentAnswers<AccessVerdict>;
  readonly #closed = new AbortController();
  #lastProblem: string | undefined;

  constructor(options: DelegatedAccessOptions, deps: DelegatedAccessDeps) {
    this.#deps = deps;
    const bounds = { maxKept: MAX_KEPT, maxAsked: MAX_REVIEWS, maxAskedByOne: MAX_ASKED_BY_ONE };
    this.#users = new RecentAnswers({ ...bounds, keepMs: () => options.tokenTtlMs }, deps.clock);
    this.#verdicts = new RecentAnswers(
      {
        ...bounds,
        keepMs: ({ allowed }) => (allowed ? options.authorizedTtlMs : options.unauthorizedTtlMs),
      },
      deps.clock,
    );
  }

  /** Never rejects. */
  async decide(shown: ShownCredentials, { address, path, verb }: AccessRequest): Promise<Decision> {
    if (path.length > MAX_PATH) return TOO_LONG;
    const user = await this.#authenticate(shown, address);
    return 'status' in user ? user : await this.#authorize({ user, path, verb }, address);
  }

  /** Ends reviews under way; later ones fail. */
  close(): void {
    this.#closed.abort(new Error('closed'));
  }

  async #authenticate(shown: ShownCredentials, asker: string): Promise<ReviewedUser | Decision> {
    const { bearerToken, certificateUser, badCertificate, badAuthorization } = shown;
    if (certificateUser !== undefined) return withGroup(certificateUser);
    if (bearerToken === undefined) {
      return badCertificate === true || badAuthorization === true ? UNAUTHORIZED : ANONYMOUS;
    }
    try {
      const user = await this.#users.get({
        text: bearerToken,
        asker,
        ask: () => this.#deps.authentication.reviewToken(bearerToken, this.#closed.signal),
      });
      return user === undefined ? UNAUTHORIZED : withGroup(user);
    } catch (error) {
      return this.#failed('tokens can not be reviewed', error, UNAUTHORIZED);
    }
  }

  async #authorize(request: PathRequest, asker: string): Promise<Decision> {
    const { user, path, verb } = request;
    try {
      const { allowed, reason } = await this.#verdicts.get({
        text: JSON.stringify(request),
        asker,
        ask: () => this.#deps.authorization.reviewAccess(request, this.#closed.signal),
      });
      if (allowed) return PASS;
      const detail = reason === '' ? '' : `: ${reason}`;
      const message = `forbidden: User "${user.username}" cannot ${verb} path "${path}"${detail}`;
      return { status: 403, message };
    } catch (error) {
      const message = 'who may read this can not be found out: the API server does not say';
      return this.#failed('access can not be reviewed', error, { status: 500, message });
    }
  }

  /** One line for each kind of trouble, not one a request. */
  #failed(what: string, error: unknown, decision: Decision): Decision {
    if (error instanceof TooManyQuestionsError) return BUSY;
    if (this.#closed.signal.aborted) return decision;
    const reason = error instanceof Error ? error.message : String(error);
    const problem = `${what}: ${isClusterApiError(error) ? error.code : reason}`;
    if (problem !== this.#lastProblem) {
      this.#lastProblem = problem;
      this.#deps.log.warn(`requests are refused: ${what}`, { reason, remedy: remedyOf(error) });
    }
    return decision;
  }
}

function withGroup(user: ReviewedUser): ReviewedUser {
  return user.groups.includes(AUTHENTICATED) ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
}

function remedyOf(error: unknown): string {
  const refused = isClusterApiError(error) && ['forbidden', 'unauthorized'].includes(error.code);
  return refused
    ? 'bind the ClusterRole system:auth-delegator to the account that asks (create tokenreviews and subjectaccessreviews)'
    : 'is the API server up, and does the connection for reviews lead to it?';
}
