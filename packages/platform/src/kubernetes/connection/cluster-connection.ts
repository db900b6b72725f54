import { OperatorError } from '../../process/operator-error.js';

/** What a TLS connection starts with, in PEM. */
export interface TlsMaterial {
  readonly caPem?: string;
  readonly clientCertPem?: string;
  readonly clientKeyPem?: string;
}

/** Where an API server is and how to prove who we are. Files behind it may change; tokens and certificates are read again. */
export interface ClusterConnection extends TlsMaterial {
  /** Without a trailing slash; may have a path. */
  readonly serverUrl: string;
  /**
   * Authority and client certificate as their files have them now; absent where nothing can change. `fresh` bypasses
   * any cache. Rejects with ClusterConnectionError when they can't be read.
   */
  readonly currentTls?: (options?: { readonly fresh?: boolean }) => Promise<TlsMaterial>;
  /** The present token; `fresh` bypasses any cache, after a 401. */
  readonly bearerToken?: (options?: { readonly fresh?: boolean }) => Promise<string | undefined>;
  readonly skipTlsVerify: boolean;
  /** Name to verify instead of the URL's host. */
  readonly serverName?: string;
  readonly proxyUrl?: string;
  /** Where the proxy is configured, for people: `proxy-url` unless given. */
  readonly proxySetting?: string;
  /** For people: `kubeconfig /home/me/.kube/config, context prod`. */
  readonly describe: string;
}

/** The connection could not be worked out; the message names the path and the remedy. */
export class ClusterConnectionError extends OperatorError {
  override readonly name = 'ClusterConnectionError';
}
