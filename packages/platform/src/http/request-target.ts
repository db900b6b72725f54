import type { RequestListener } from 'node:http';

const NO_TARGET = '{"error":"the target of the request is neither a path nor a URL"}';
const HEADERS = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };

/**
 * Turns the absolute form of a request's target, as proxies send it, into the path that routes and access rules know,
 * and answers 400 to what is no target: everything behind it sees paths only.
 */
export function withPathOnly(listener: RequestListener): RequestListener {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    if (path === undefined) {
      response.writeHead(400, { ...HEADERS, 'Content-Length': NO_TARGET.length }).end(NO_TARGET);
      return;
    }
    request.url = path;
    listener(request, response);
  };
}

function pathOf(target: string): string | undefined {
  if (target.startsWith('/')) return target;
  const url = URL.parse(target);
  return url !== null && /^https?:$/.test(url.protocol) ? `${url.pathname}${url.search}` : undefined;
}
