import type { IncomingMessage } from 'node:http';
import { type DelegatedAccess, HttpError, isFromThisMachine } from '@catamaran/platform';
import type { RequestHandler } from 'express';
import { shownCredentials } from './shown-credentials.js';

export interface RequestAccessOptions {
  /** Answered to everybody, without a look at credentials; a final `*` stands for any rest. */
  readonly alwaysAllowPaths: readonly string[];
  /** Whoever asks from this machine and shows no credentials is let in. */
  readonly allowLocalRequests: boolean;
}

/**
 * Lets a request pass, or answers 401, 403, 414, 500 or 503. Credentials that are shown are judged, wherever they come from.
 */
export function requestAccess(
  options: RequestAccessOptions,
  { delegated }: { readonly delegated: Pick<DelegatedAccess, 'decide'> },
): RequestHandler {
  const isOpen = pathMatcher(options.alwaysAllowPaths);
  return async (request, response, next) => {
    if (isOpen(request.path)) return next();
    const shown = shownCredentials(request);
    if (options.allowLocalRequests && Object.keys(shown).length === 0 && isFromThisMachine(request)) {
      return next();
    }
    const verb = request.method.toLowerCase();
    const address = request.socket.remoteAddress ?? '';
    const { status, message } = await delegated.decide(shown, { path: request.path, verb, address });
    if (status === 200) return next();
    if (status === 401) response.set('WWW-Authenticate', 'Bearer');
    throw new HttpError(status, message);
  };
}

function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const slashed = patterns.map((pattern) => (pattern.startsWith('/') ? pattern : `/${pattern}`));
  const whole = new Set(slashed.filter((pattern) => !pattern.endsWith('*')));
  const beginnings = slashed.filter((pattern) => pattern.endsWith('*')).map((text) => text.slice(0, -1));
  return (path) => whole.has(path) || beginnings.some((beginning) => path.startsWith(beginning));
}

/** Where nobody can be asked: what tells about the cluster is for this machine only, anyone else gets 403. */
export const loopbackOnly: RequestHandler = (request: IncomingMessage, _response, next) => {
  if (!isFromThisMachine(request)) {
    throw new HttpError(
      403,
      'only requests from this machine are answered: use kubectl port-forward or exec',
    );
  }
  next();
};
