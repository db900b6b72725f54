import type { ClusterConnection } from '@catamaran/platform';

/** The embedded cluster asks nobody who they are, and speaks plain HTTP on loopback. */
export function connectionTo(serverUrl: string): ClusterConnection {
  return { serverUrl, skipTlsVerify: false, describe: `embedded cluster at ${serverUrl}` };
}
