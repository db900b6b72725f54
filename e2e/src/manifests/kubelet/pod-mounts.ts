import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlPlane } from '../../control-plane/control-plane.js';
import { tokenOf } from '../../control-plane/service-account.js';
import type { ContainerMount } from '../../images/container.js';
import type { ContainerSpecOfPod, RunnablePod, Volume } from './pod-spec.js';

const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Folders of this machine with the content of a pod's volumes. */
export class PodMounts {
  readonly #folders: ReadonlyMap<string, string>;
  readonly #account: string | undefined;

  private constructor(folders: ReadonlyMap<string, string>, account: string | undefined) {
    this.#folders = folders;
    this.#account = account;
  }

  /** @throws Error for a kind of volume that is not known, or a ConfigMap that does not exist. */
  static async prepare(plane: ControlPlane, pod: RunnablePod): Promise<PodMounts> {
    const folders = new Map<string, string>();
    for (const volume of pod.spec.volumes ?? []) {
      folders.set(volume.name, await folderOf(plane, pod, volume));
    }
    return new PodMounts(folders, await accountFolder(plane, pod));
  }

  of(container: ContainerSpecOfPod): readonly ContainerMount[] {
    const mounts = (container.volumeMounts ?? []).map(({ name, mountPath, subPath, readOnly }) => {
      const folder = this.#folders.get(name);
      if (folder === undefined)
        throw new Error(`container ${container.name} mounts ${name}, which is no volume`);
      return { source: join(folder, subPath ?? ''), target: mountPath, readOnly: readOnly === true };
    });
    if (this.#account === undefined) return mounts;
    return [...mounts, { source: this.#account, target: ACCOUNT_FOLDER, readOnly: true }];
  }
}

async function folderOf(plane: ControlPlane, pod: RunnablePod, volume: Volume): Promise<string> {
  if (volume.hostPath !== undefined) return volume.hostPath.path;
  const folder = plane.file(join('pods', pod.metadata.name, volume.name));
  await mkdir(folder, { recursive: true });
  if (volume.configMap !== undefined) {
    const path = `/api/v1/namespaces/${pod.metadata.namespace}/configmaps/${volume.configMap.name}`;
    const { data } = await plane.admin.get<{ readonly data: Readonly<Record<string, string>> }>(path);
    for (const [name, text] of Object.entries(data)) await writeFile(join(folder, name), text);
  } else if (volume.emptyDir === undefined) {
    throw new Error(`volume ${volume.name}: ${Object.keys(volume).join(', ')} is not mounted here`);
  }
  return folder;
}

/** As admission and kubelet provide it: token, authority and namespace. */
async function accountFolder(
  plane: ControlPlane,
  { metadata, spec }: RunnablePod,
): Promise<string | undefined> {
  if (spec.automountServiceAccountToken === false || spec.serviceAccountName === undefined) return undefined;
  const account = { namespace: metadata.namespace, name: spec.serviceAccountName };
  const folder = plane.file(join('pods', metadata.name, 'service-account'));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'token'), await tokenOf(plane, account), { mode: 0o644 });
  await writeFile(join(folder, 'ca.crt'), plane.credentials.caPem);
  await writeFile(join(folder, 'namespace'), metadata.namespace);
  return folder;
}
