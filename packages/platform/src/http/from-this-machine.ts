import type { IncomingMessage } from 'node:http';

/** Headers by which proxies say that the peer is not the client: standards, clouds, Envoy, content networks. */
const FORWARDING =
  /^(?:forwarded|via|x-real-ip|cf-connecting-ip|true-client-ip|x-forwarded.*|x-envoy-.*|.*-client-ip)$/;

/** Whether the request comes from this machine and from no proxy on it. */
export function isFromThisMachine(request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
  const isLoopback = peer === '::1' || peer.startsWith('127.');
  return isLoopback && !Object.keys(request.headers).some((name) => FORWARDING.test(name));
}
