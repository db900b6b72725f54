import type { KubernetesObject } from './meta.js';

export interface ObjectReference {
  readonly kind: string;
  readonly apiVersion?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

/** `events.k8s.io/v1` Event. `eventTime` and `lastObservedTime` carry six decimals. */
export interface KubernetesEvent extends KubernetesObject {
  readonly eventTime: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note?: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly regarding: ObjectReference;
  readonly related?: ObjectReference;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}
