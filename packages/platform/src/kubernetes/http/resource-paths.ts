import type { ResourceKind } from '../cluster-api.js';

/** Where the API server keeps each collection, all namespaces together. */
export const COLLECTION_PATHS: Readonly<Record<ResourceKind, string>> = {
  nodes: '/api/v1/nodes',
  pods: '/api/v1/pods',
  namespaces: '/api/v1/namespaces',
  services: '/api/v1/services',
};

export const NODE_METRICS_PATH = '/apis/metrics.k8s.io/v1beta1/nodes';

export function podPath(namespace: string, name: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
}

export function eventsPath(namespace: string): string {
  return `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/events`;
}

export function leasesPath(namespace: string): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
}

/** A query string with its `?`, or nothing; undefined values are left out. */
export function queryString(
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.append(name, String(value));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}
