import type { ControlPlane } from '../control-plane/control-plane.js';
import type { RunnablePod } from './kubelet/pod-spec.js';
import type { Manifest } from './rendered.js';
import { only } from './rendered.js';

/** The pod that a Deployment's controller would make, created for real: admission has its say. */
export async function createPodOf(
  plane: ControlPlane,
  manifests: readonly Manifest[],
  deployment: string,
): Promise<RunnablePod> {
  const { metadata, spec } = only(manifests, `Deployment/${deployment}`);
  const { template } = spec as { readonly template: { readonly metadata: object; readonly spec: object } };
  const namespace = metadata.namespace ?? 'default';
  const path = `/api/v1/namespaces/${namespace}/pods`;
  return await plane.admin.create<RunnablePod>(path, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...template.metadata, name: `${deployment}-0`, namespace },
    spec: template.spec,
  });
}

/** What kube-scheduler does for the scheduler's own pod. */
export async function bind(plane: ControlPlane, { metadata }: RunnablePod, node: string): Promise<void> {
  await plane.admin.create(`/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: metadata.name },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  });
}
