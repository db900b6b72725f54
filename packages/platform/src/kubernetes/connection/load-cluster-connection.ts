import { type ClusterConnection, ClusterConnectionError } from './cluster-connection.js';

export interface ClusterConnectionOptions {
  /** Path of a kubeconfig; without it `KUBECONFIG`, then the pod's service account, then `~/.kube/config`. */
  readonly kubeconfigPath?: string;
  readonly context?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws ClusterConnectionError naming path and remedy. */
export async function loadClusterConnection(options: ClusterConnectionOptions): Promise<ClusterConnection> {
  throw new ClusterConnectionError(`not built yet (${options.kubeconfigPath ?? 'in cluster'})`);
}
