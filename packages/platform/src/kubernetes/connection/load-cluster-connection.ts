import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock/clock.js';
import { SystemClock } from '../../clock/system-clock.js';
import { type ClusterConnection, ClusterConnectionError } from './cluster-connection.js';
import { inClusterConnection, SERVICE_ACCOUNT_DIR } from './in-cluster.js';
import { kubeconfigConnection } from './kubeconfig.js';

export interface ClusterConnectionOptions {
  /** Path of a kubeconfig; without it `KUBECONFIG`, then the pod's service account, then `~/.kube/config`. */
  readonly kubeconfigPath?: string | undefined;
  /** Instead of the kubeconfig's current context. */
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a pod finds its service account. */
  readonly serviceAccountDir?: string;
  readonly clock?: Clock;
}

/** @throws ClusterConnectionError naming path and remedy. */
export async function loadClusterConnection(options: ClusterConnectionOptions): Promise<ClusterConnection> {
  const { env, context, clock = new SystemClock() } = options;
  const explicit = options.kubeconfigPath || env.KUBECONFIG;
  if (explicit) return await kubeconfigConnection({ paths: explicit, context }, clock);
  if (env.KUBERNETES_SERVICE_HOST) {
    return await inClusterConnection(env, options.serviceAccountDir ?? SERVICE_ACCOUNT_DIR, clock);
  }
  const home = join(env.HOME ?? env.USERPROFILE ?? '/', '.kube', 'config');
  if (await exists(home)) return await kubeconfigConnection({ paths: home, context }, clock);
  throw new ClusterConnectionError(
    `no cluster: not in a pod (KUBERNETES_SERVICE_HOST is unset) and there is no ${home}; give --kubeconfig or KUBECONFIG`,
  );
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
