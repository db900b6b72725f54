import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { ClusterConnection } from '../connection/cluster-connection.js';

export interface DispatcherTimeouts {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Silence within a body. */
  readonly bodyMs: number;
}

/** A pool of kept-alive HTTP/1.1 connections to one API server; `maxConnections` 0 = as many as needed. */
export function openDispatcher(
  connection: ClusterConnection,
  timeouts: DispatcherTimeouts,
  maxConnections: number,
): Dispatcher {
  const tls = {
    rejectUnauthorized: !connection.skipTlsVerify,
    ...(connection.caPem === undefined ? {} : { ca: connection.caPem }),
    ...(connection.clientCertPem === undefined ? {} : { cert: connection.clientCertPem }),
    ...(connection.clientKeyPem === undefined ? {} : { key: connection.clientKeyPem }),
    ...(connection.serverName === undefined ? {} : { servername: connection.serverName }),
  };
  const options = {
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    keepAliveTimeout: 30_000,
    ...(maxConnections === 0 ? {} : { connections: maxConnections }),
  };
  if (connection.proxyUrl !== undefined) {
    return new ProxyAgent({ ...options, uri: connection.proxyUrl, requestTls: tls });
  }
  return new Agent({ ...options, connect: { ...tls, timeout: timeouts.connectMs } });
}
