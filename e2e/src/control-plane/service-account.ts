import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ControlPlane } from './control-plane.js';

const ROLES = fileURLToPath(new URL('../../../k8s/rbac', import.meta.url));

export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

export const SYSTEM_NAMESPACE = 'catamaran-system';
export const LOAD_WATCHER_ACCOUNT: ServiceAccount = {
  namespace: SYSTEM_NAMESPACE,
  name: 'catamaran-load-watcher',
};
export const SCHEDULER_ACCOUNT: ServiceAccount = { namespace: SYSTEM_NAMESPACE, name: 'catamaran-scheduler' };

/** The accounts and roles that we ship, as they are. */
export async function applyShippedRoles(plane: ControlPlane): Promise<void> {
  await plane.kubectl('apply', '--kustomize', ROLES);
}

export function userNameOf({ namespace, name }: ServiceAccount): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** A token that the API server itself has issued. */
export async function tokenOf(plane: ControlPlane, account: ServiceAccount): Promise<string> {
  const path = `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`;
  const answer = await plane.admin.create<{ readonly status: { readonly token: string } }>(path, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 7200 },
  });
  return answer.status.token;
}

/** A kubeconfig that reads the account's token from a file, as pods do; returns both paths. */
export async function accountKubeconfig(
  plane: ControlPlane,
  account: ServiceAccount,
): Promise<{ readonly kubeconfig: string; readonly tokenFile: string }> {
  const tokenFile = plane.file(`${account.name}.token`);
  await writeFile(tokenFile, await tokenOf(plane, account), { mode: 0o600 });
  return { kubeconfig: await plane.kubeconfig(account.name, { tokenFile }), tokenFile };
}

/** Binds an account to a ClusterRole. */
export async function bindClusterRole(
  plane: ControlPlane,
  account: ServiceAccount,
  role: string,
): Promise<void> {
  await plane.kubectl(
    'create',
    'clusterrolebinding',
    `${account.name}-is-${role.replaceAll(':', '-')}`,
    `--clusterrole=${role}`,
    `--serviceaccount=${account.namespace}:${account.name}`,
  );
}
