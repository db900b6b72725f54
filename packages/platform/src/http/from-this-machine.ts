import type { IncomingMessage } from 'node:http';

/**
 * Headers by which proxies say that the peer is not the client: standards, clouds, Envoy, ingress controllers, content
 * networks. What a client on this machine would hardly send counts too: refused by mistake is the safe way to be wrong.
 */
const FORWARDING =
  /forwarded|^(?:via|x-original-.*|x-envoy-.*|x-proxy.*)$|(?:client|connecting|real|remote|source|peer|user)[-_]?(?:ip|addr|address|host)$/;

/** Whether the request comes from this machine and from no proxy on it. */
export function isFromThisMachine(request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
  const isLoopback = peer === '::1' || peer.startsWith('127.');
  return isLoopback && !Object.keys(request.headers).some((name) => FORWARDING.test(name));
}
