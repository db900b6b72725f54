/** Collections of the store behind the API. */
export type StoreName = 'nodes' | 'pods' | 'namespaces' | 'services' | 'events' | 'leases';

export interface ApiResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, as in paths. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  /** Groups of resources that clients ask for by one word, such as `kubectl get all`. */
  readonly categories?: readonly string[];
  readonly store: StoreName;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly Subresource[];
}

export type Verb = 'create' | 'delete' | 'get' | 'list' | 'patch' | 'update' | 'watch';
export type Subresource = 'status' | 'binding';

const READ: readonly Verb[] = ['get', 'list', 'watch'];
const ALL: readonly Verb[] = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

const CORE = { group: '', version: 'v1', subresources: [], verbs: ALL } as const;

export const API_RESOURCES: readonly ApiResource[] = [
  {
    ...CORE,
    name: 'nodes',
    kind: 'Node',
    namespaced: false,
    shortNames: ['no'],
    store: 'nodes',
    subresources: ['status'],
  },
  {
    ...CORE,
    name: 'pods',
    kind: 'Pod',
    namespaced: true,
    shortNames: ['po'],
    categories: ['all'],
    store: 'pods',
    subresources: ['status', 'binding'],
  },
  {
    ...CORE,
    name: 'namespaces',
    kind: 'Namespace',
    namespaced: false,
    shortNames: ['ns'],
    store: 'namespaces',
  },
  {
    ...CORE,
    name: 'services',
    kind: 'Service',
    namespaced: true,
    shortNames: ['svc'],
    categories: ['all'],
    store: 'services',
  },
  {
    ...CORE,
    name: 'events',
    kind: 'Event',
    namespaced: true,
    shortNames: ['ev'],
    store: 'events',
    verbs: READ,
  },
  {
    ...CORE,
    group: 'events.k8s.io',
    name: 'events',
    kind: 'Event',
    namespaced: true,
    shortNames: ['ev'],
    store: 'events',
  },
  { ...CORE, group: 'coordination.k8s.io', name: 'leases', kind: 'Lease', namespaced: true, store: 'leases' },
];

export function apiVersionOf(resource: Pick<ApiResource, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}
