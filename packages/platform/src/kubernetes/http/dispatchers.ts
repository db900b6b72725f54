import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { ClusterConnection, TlsMaterial } from '../connection/cluster-connection.js';

export interface DispatcherTimeouts {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Silence within a body. */
  readonly bodyMs: number;
}

/** A pool of kept-alive HTTP/1.1 connections to one API server; `maxConnections` 0 = as many as needed. */
export function openDispatcher(
  to: { readonly connection: ClusterConnection; readonly material: TlsMaterial },
  timeouts: DispatcherTimeouts,
  maxConnections: number,
): Dispatcher {
  const { connection, material } = to;
  const tls = {
    rejectUnauthorized: !connection.skipTlsVerify,
    ...(material.caPem === undefined ? {} : { ca: material.caPem }),
    ...(material.clientCertPem === undefined ? {} : { cert: material.clientCertPem }),
    ...(material.clientKeyPem === undefined ? {} : { key: material.clientKeyPem }),
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
