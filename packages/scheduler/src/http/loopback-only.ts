import type { IncomingMessage } from 'node:http';
import { HttpError } from '@catamaran/platform';
import type { RequestHandler } from 'express';

/** Headers by which a proxy says that the peer is not the client. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/** Whether the request comes from this machine and from no proxy on it. */
export function isFromThisMachine(request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
  return (
    (peer === '::1' || peer.startsWith('127.')) &&
    FORWARDING.every((name) => request.headers[name] === undefined)
  );
}

/** Until requests can be authorised, what tells about the cluster is for this machine only: anyone else gets 403. */
export const loopbackOnly: RequestHandler = (request, _response, next) => {
  if (!isFromThisMachine(request)) {
    throw new HttpError(
      403,
      'only requests from this machine are answered: use kubectl port-forward or exec',
    );
  }
  next();
};
