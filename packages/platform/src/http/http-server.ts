import { constants } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createHttpTerminator } from 'http-terminator';
import type { Logger } from '../log/logger.js';
import { ListenError } from './listen-error.js';
import { withPathOnly } from './request-target.js';
import type { ServerIdentity } from './tls/certificate-files.js';

/** Longer than the idle timeouts of common clients and load balancers, so that the client closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 95_000;
/** A client that is slower than this in sending one request is cut off. */
const REQUEST_TIMEOUT_MS = 60_000;
const DEFAULT_HEAD_TIMEOUT_MS = 15_000;
/** How often Node.js looks for clients that are too slow; seldom by default. */
const LOOK_FOR_SLOW_MS = 5_000;
const DEFAULT_DRAIN_TIMEOUT_MS = 3_000;
const DEFAULT_MAX_CONNECTIONS = 4_096;

export interface HttpServerOptions {
  /** Name or address to listen on; empty for all of both families, `0.0.0.0` for all of IPv4. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** HTTPS. With `clientCaPem` clients are asked for a certificate; one that is not good is no reason to hang up. */
  readonly tls?: ServerIdentity & { readonly minVersion?: 'TLSv1.2' | 'TLSv1.3' };
  readonly listener: RequestListener;
  /** For messages: what this server is, as in "load-watcher". */
  readonly name: string;
  /** How long `close` waits for requests in flight before it cuts them off; 3 s. */
  readonly drainTimeoutMs?: number;
  /** A client that is slower than this in a TLS handshake, or in sending the head of a request, is cut off; 15 s. */
  readonly headTimeoutMs?: number;
  /** Further connections are refused; 4096. */
  readonly maxConnections?: number;
}

export interface RunningHttpServer {
  /** Where a client on this machine reaches it, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** New connections get this certificate; without effect on plain HTTP. */
  renew(identity: ServerIdentity): void;
  /**
   * Takes no new connection, drops idle ones, waits for requests in flight, at most `drainTimeoutMs`. Idempotent: all
   * calls share one promise.
   */
  close(): Promise<void>;
}

/**
 * Starts a server and resolves once it listens.
 * @throws ListenError when the address can't be had.
 */
export async function startHttpServer(
  options: HttpServerOptions,
  deps: { readonly log: Logger },
): Promise<RunningHttpServer> {
  const server = createServer(options);
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.maxConnections = options.maxConnections ?? DEFAULT_MAX_CONNECTIONS;
  const terminator = createHttpTerminator({
    server,
    gracefulTerminationTimeout: options.drainTimeoutMs ?? DEFAULT_DRAIN_TIMEOUT_MS,
  });
  const port = await listen(server, options);
  const url = `${options.tls === undefined ? 'http' : 'https'}://${reachableHost(options.host)}:${port}`;
  server.on('error', (error) => deps.log.error('HTTP server failed', { server: options.name, error }));
  deps.log.info('listening', { server: options.name, host: options.host, port });
  let closing: Promise<void> | undefined;
  return {
    url,
    port,
    renew: (identity) => {
      if (server instanceof HttpsServer)
        server.setSecureContext(secureContext({ ...options.tls, ...identity }));
    },
    close: () => {
      closing ??= terminator.terminate();
      return closing;
    },
  };
}

function createServer({ tls, listener: answer, ...options }: HttpServerOptions): Server {
  const listener = withPathOnly(answer);
  const headTimeoutMs = options.headTimeoutMs ?? DEFAULT_HEAD_TIMEOUT_MS;
  const limits = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: headTimeoutMs,
    handshakeTimeout: headTimeoutMs,
    connectionsCheckingInterval: Math.min(headTimeoutMs, LOOK_FOR_SLOW_MS),
  };
  if (tls === undefined) return createHttpServer(limits, listener);
  const requestCert = tls.clientCaPem !== undefined;
  return createHttpsServer(
    { ...limits, ...secureContext(tls), requestCert, rejectUnauthorized: false },
    listener,
  );
}

function secureContext(tls: NonNullable<HttpServerOptions['tls']>) {
  return {
    cert: tls.certPem,
    key: tls.keyPem,
    minVersion: tls.minVersion ?? ('TLSv1.2' as const),
    // A session that is taken up again brings its client's certificate unseen: expired, or of authorities of old.
    ...(tls.clientCaPem === undefined
      ? {}
      : { ca: tls.clientCaPem, secureOptions: constants.SSL_OP_NO_TICKET }),
  };
}

function listen(server: Server, options: HttpServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => reject(new ListenError(options, error));
    server.once('error', onError);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function reachableHost(host: string): string {
  if (host === '' || host === '0.0.0.0') {
    return '127.0.0.1';
  }
  const address = host === '::' ? '::1' : host;
  return address.includes(':') ? `[${address}]` : address;
}
