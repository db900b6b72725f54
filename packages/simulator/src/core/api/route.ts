import { API_RESOURCES, type ApiResource, type Subresource } from './resources.js';
import { badRequest, pathNotFound } from './status.js';

export type ApiRoute =
  | { readonly type: 'health' }
  | { readonly type: 'version' }
  | { readonly type: 'discovery'; readonly path: string }
  | { readonly type: 'nodeMetrics'; readonly name?: string }
  | { readonly type: 'nodePage'; readonly nodeName: string }
  | ResourceRoute;

export interface ResourceRoute {
  readonly type: 'resource';
  readonly resource: ApiResource;
  /** Absent for cluster-scoped resources and for a collection across namespaces. */
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: Subresource;
}

/** @throws ApiFailure 404 for a path that nothing serves, 400 for one that can't be decoded. */
export function routeOf(pathname: string): ApiRoute {
  const parts = pathname.split('/').slice(1).map(decode);
  if (parts.at(-1) === '') parts.pop();
  const [root = '', second = ''] = parts;
  if (parts.length === 1 && ['healthz', 'livez', 'readyz'].includes(root)) return { type: 'health' };
  if (parts.length === 1 && root === 'version') return { type: 'version' };
  if (parts.length === 3 && root === 'nodes' && parts[2] === 'metrics')
    return { type: 'nodePage', nodeName: second };
  if (root !== 'api' && root !== 'apis') throw pathNotFound();
  const groupParts = root === 'api' ? 2 : 3;
  if (parts.length <= groupParts) return { type: 'discovery', path: `/${parts.join('/')}` };
  const group = root === 'api' ? '' : second;
  const version = parts[groupParts - 1] ?? '';
  const rest = parts.slice(groupParts);
  if (group === 'metrics.k8s.io' && version === 'v1beta1') return metricsRoute(rest);
  return resourceRoute(group, version, rest);
}

function metricsRoute(rest: readonly string[]): ApiRoute {
  const [collection, name] = rest;
  if (collection !== 'nodes' || rest.length > 2) throw pathNotFound();
  return { type: 'nodeMetrics', ...(name === undefined ? {} : { name }) };
}

function resourceRoute(group: string, version: string, rest: readonly string[]): ResourceRoute {
  const isScoped = rest[0] === 'namespaces' && rest.length > 2;
  const [plural, name, subresource, ...surplus] = isScoped ? rest.slice(2) : rest;
  const resource = API_RESOURCES.find(
    (candidate) => candidate.group === group && candidate.version === version && candidate.name === plural,
  );
  if (resource === undefined || surplus.length > 0) throw pathNotFound();
  if (isScoped !== resource.namespaced && (isScoped || name !== undefined)) throw pathNotFound();
  const known = resource.subresources.find((candidate) => candidate === subresource);
  if (subresource !== undefined && known === undefined) throw pathNotFound();
  const namespace = isScoped ? rest[1] : undefined;
  return {
    type: 'resource',
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(known === undefined ? {} : { subresource: known }),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest(`the path contains a malformed escape: ${part}`);
  }
}
