import type { KubernetesObject } from './meta.js';

/** `coordination.k8s.io/v1` Lease. Both times carry six decimals. */
export interface Lease extends KubernetesObject {
  readonly spec?: {
    /** Empty or absent: nobody holds it. */
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}
