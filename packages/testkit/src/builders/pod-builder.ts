import type { Container, ObjectMeta, Pod, PodSpec, PodStatus, ResourceList } from '@catamaran/model';

export interface PodShape {
  /** `default` unless given. */
  readonly namespace?: string;
  /** Only for objects that no cluster creates: a cluster gives its own. */
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly metadata?: Partial<ObjectMeta>;
  /** Requests and limits of the one container; nothing is requested unless given. */
  readonly requests?: ResourceList;
  readonly limits?: ResourceList;
  /** Instead of the one container. */
  readonly containers?: readonly Container[];
  readonly schedulerName?: string;
  readonly nodeName?: string;
  /** Any further field of the spec. */
  readonly spec?: Partial<PodSpec>;
  readonly status?: PodStatus;
}

/** A pod with one container named `main`. */
export function podOf(name: string, shape: PodShape = {}): Pod {
  const { requests, limits } = shape;
  const main: Container = {
    name: 'main',
    image: 'registry.example/app:1',
    resources: {
      ...(requests === undefined ? {} : { requests }),
      ...(limits === undefined ? {} : { limits }),
    },
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: shape.namespace ?? 'default',
      ...(shape.uid === undefined ? {} : { uid: shape.uid }),
      ...(shape.labels === undefined ? {} : { labels: shape.labels }),
      ...shape.metadata,
    },
    spec: {
      containers: shape.containers ?? [main],
      ...(shape.schedulerName === undefined ? {} : { schedulerName: shape.schedulerName }),
      ...(shape.nodeName === undefined ? {} : { nodeName: shape.nodeName }),
      ...shape.spec,
    },
    ...(shape.status === undefined ? {} : { status: shape.status }),
  };
}
