import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock/clock.js';
import { SystemClock } from '../../clock/system-clock.js';
import { proxyFor, proxyVariables } from '../../http/proxy.js';
import { type ClusterConnection, ClusterConnectionError } from './cluster-connection.js';
import { inClusterConnection, SERVICE_ACCOUNT_DIR } from './in-cluster.js';
import { checkUrl, kubeconfigConnection } from './kubeconfig.js';

export interface ClusterConnectionOptions {
  /**
   * Path of a kubeconfig; without it `KUBECONFIG`, then the pod's service account, then `~/.kube/config`. Proxies of
   * the environment apply to kubeconfigs; a pod reaches its own API server directly.
   */
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
  const byKubeconfig = async (paths: string): Promise<ClusterConnection> =>
    throughProxy(await kubeconfigConnection({ paths, context }, clock), env);
  if (explicit) return await byKubeconfig(explicit);
  if (env.KUBERNETES_SERVICE_HOST) {
    return await inClusterConnection(env, options.serviceAccountDir ?? SERVICE_ACCOUNT_DIR, clock);
  }
  const home = join(env.HOME ?? env.USERPROFILE ?? '/', '.kube', 'config');
  if (await exists(home)) return await byKubeconfig(home);
  throw new ClusterConnectionError(
    `no cluster: not in a pod (KUBERNETES_SERVICE_HOST is unset) and there is no ${home}; give --kubeconfig or KUBECONFIG`,
  );
}

/** As kubectl does: the kubeconfig's proxy-url, else the proxy of the environment unless NO_PROXY excludes the server. */
function throughProxy(
  connection: ClusterConnection,
  env: ClusterConnectionOptions['env'],
): ClusterConnection {
  if (connection.proxyUrl !== undefined) return connection;
  const server = new URL(connection.serverUrl);
  const proxyUrl = proxyFor(server, proxyVariables(env));
  if (proxyUrl === undefined) return connection;
  const proxySetting = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  checkUrl(proxySetting, proxyUrl, 'environment');
  return { ...connection, proxyUrl, proxySetting };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
