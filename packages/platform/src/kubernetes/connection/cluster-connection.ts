import { OperatorError } from '../../process/operator-error.js';

/** Where an API server is and how to prove who we are. Files behind it may change; tokens are read again. */
export interface ClusterConnection {
  /** Without a trailing slash; may have a path. */
  readonly serverUrl: string;
  readonly caPem?: string;
  readonly clientCertPem?: string;
  readonly clientKeyPem?: string;
  /** The present token; `fresh` bypasses any cache, after a 401. */
  readonly bearerToken?: (options?: { readonly fresh?: boolean }) => Promise<string | undefined>;
  readonly skipTlsVerify: boolean;
  /** Name to verify instead of the URL's host. */
  readonly serverName?: string;
  readonly proxyUrl?: string;
  /** For people: `kubeconfig /home/me/.kube/config, context prod`. */
  readonly describe: string;
}

/** The connection could not be worked out; the message names the path and the remedy. */
export class ClusterConnectionError extends OperatorError {
  override readonly name = 'ClusterConnectionError';
}
