/** Reviews of one kind under way at once. */
export const MAX_REVIEWS = 64;

/** Somebody as the API server knows them: the user of a TokenReview, or the subject of a client certificate. */
export interface ReviewedUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What somebody wants of one of our own paths. */
export interface PathRequest {
  readonly user: ReviewedUser;
  /** Without the query. */
  readonly path: string;
  /** HTTP method in lower case, as RBAC spells verbs of non-resource URLs. */
  readonly verb: string;
}

export interface AccessVerdict {
  readonly allowed: boolean;
  /** The API server's words; may be empty. */
  readonly reason: string;
}

/**
 * Asks the API server who somebody is and what they may do, as every Kubernetes component does for its own port.
 * Needs the ClusterRole system:auth-delegator. Calls reject with a ClusterApiError, or with the signal's reason.
 */
export interface AccessReviewApi {
  /** TokenReview. Undefined: a token of nobody. */
  reviewToken(token: string, signal: AbortSignal): Promise<ReviewedUser | undefined>;
  /** SubjectAccessReview of a non-resource URL. */
  reviewAccess(request: PathRequest, signal: AbortSignal): Promise<AccessVerdict>;
  close(): Promise<void>;
}
