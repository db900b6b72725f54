import type { KubernetesObject, ResourceList } from './meta.js';

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: TaintEffect;
  readonly timeAdded?: string;
}

export interface NodeAddress {
  readonly type: string;
  readonly address: string;
}

export interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface ContainerImage {
  readonly names?: readonly string[];
  readonly sizeBytes?: number;
}

export interface Node extends KubernetesObject {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly providerID?: string;
  };
  readonly status?: {
    readonly capacity?: ResourceList;
    readonly allocatable?: ResourceList;
    readonly addresses?: readonly NodeAddress[];
    readonly conditions?: readonly NodeCondition[];
    readonly images?: readonly ContainerImage[];
    readonly declaredFeatures?: readonly string[];
    readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
    readonly nodeInfo?: { readonly operatingSystem?: string; readonly architecture?: string };
  };
}

/** An item of `metrics.k8s.io/v1beta1` NodeMetricsList. `usage` is cpu and memory. */
export interface NodeMetricsObject extends KubernetesObject {
  readonly timestamp?: string;
  readonly window?: string;
  readonly usage?: ResourceList;
}
