import type { RequestListener, ServerResponse } from 'node:http';
import { shownToken } from './bearer-token.js';
import { decodedPath, parseTarget } from './request-target.js';
import type { TokenFile } from './token-file.js';

const REFUSAL = 'only with the bearer token of --watcher-token-file\n';

/** Lets requests for the document through to `next` only with the token; all others as they are. */
export function withToken(token: TokenFile, next: RequestListener): RequestListener {
  return (request, response) => {
    if (decodedPath(parseTarget(request.url ?? '/').rawPath) !== '/watcher') {
      next(request, response);
      return;
    }
    const shown = shownToken(request);
    if (shown === undefined) {
      refuse(response, 'Bearer');
      return;
    }
    void token.accepts(shown).then((accepted) => {
      if (accepted) next(request, response);
      else refuse(response, 'Bearer error="invalid_token"');
    });
  };
}

/** @param challenge RFC 6750, section 3. */
function refuse(response: ServerResponse, challenge: string): void {
  response.writeHead(401, {
    'WWW-Authenticate': challenge,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(REFUSAL),
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(REFUSAL);
}
