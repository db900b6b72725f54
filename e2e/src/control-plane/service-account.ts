import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ControlPlane } from './control-plane.js';

const ROLES = fileURLToPath(new URL('../../../k8s/rbac', import.meta.url));

export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

const SYSTEM_NAMESPACE = 'catamaran-system';
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
export async function tokenOf(
  plane: ControlPlane,
  account: ServiceAccount,
  spec: object = {},
): Promise<string> {
  const path = `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`;
  const answer = await plane.admin.create<{ readonly status: { readonly token: string } }>(path, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 7200, ...spec },
  });
  return answer.status.token;
}

/** A kubeconfig that reads the account's token from a file, as pods do; returns both paths. */
export async function accountKubeconfig(
  plane: ControlPlane,
  account: ServiceAccount,
  server = plane.url,
): Promise<{ readonly kubeconfig: string; readonly tokenFile: string }> {
  const tokenFile = plane.file(`${account.name}.token`);
  await writeFile(tokenFile, await tokenOf(plane, account), { mode: 0o600 });
  return { kubeconfig: await plane.kubeconfig(account.name, { tokenFile }, server), tokenFile };
}

/** A token that is worth nothing any more once its Secret is deleted. */
export async function revocableToken(
  plane: ControlPlane,
  account: ServiceAccount,
  secretName: string,
): Promise<{ readonly token: string; revoke(): Promise<void> }> {
  const secrets = `/api/v1/namespaces/${account.namespace}/secrets`;
  const { metadata } = await plane.admin.create<{ readonly metadata: { readonly uid: string } }>(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretName },
  });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: secretName, uid: metadata.uid };
  const token = await tokenOf(plane, account, { boundObjectRef });
  return { token, revoke: async () => void (await plane.admin.delete(`${secrets}/${secretName}`)) };
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
