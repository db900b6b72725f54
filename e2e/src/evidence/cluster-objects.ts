import type { KubernetesObject, Node, Pod } from '@catamaran/model';
import type { AdminClient } from '../control-plane/admin-client.js';
import { until } from '../process/until.js';

interface List<T> {
  readonly items: readonly T[];
}

export async function nodesOf(admin: AdminClient): Promise<readonly Node[]> {
  return (await admin.get<List<Node>>('/api/v1/nodes')).items;
}

export async function podsOf(admin: AdminClient, namespace?: string): Promise<readonly Pod[]> {
  const scope = namespace === undefined ? '' : `namespaces/${namespace}/`;
  return (await admin.get<List<Pod>>(`/api/v1/${scope}pods`)).items;
}

export interface PodEventObject extends KubernetesObject {
  readonly type: string;
  readonly reason: string;
  readonly note?: string;
  readonly action?: string;
  readonly reportingController?: string;
  readonly series?: { readonly count: number };
}

/** Events about a pod, oldest first. */
export async function eventsAbout(
  admin: AdminClient,
  namespace: string,
  podName: string,
): Promise<readonly PodEventObject[]> {
  const selector = encodeURIComponent(`regarding.name=${podName}`);
  const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events?fieldSelector=${selector}`;
  return (await admin.get<List<PodEventObject>>(path)).items;
}

/** Waits until every pod of the namespace has a node. Resolves with the pods. */
export async function allBound(
  admin: AdminClient,
  namespace: string,
  timeoutMs = 120_000,
): Promise<readonly Pod[]> {
  return await until({ what: `the pods of ${namespace} bound`, timeoutMs, everyMs: 200 }, async () => {
    const pods = await podsOf(admin, namespace);
    return pods.length > 0 && pods.every(({ spec }) => (spec.nodeName ?? '') !== '') && pods;
  });
}
