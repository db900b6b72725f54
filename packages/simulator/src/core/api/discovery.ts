import { API_RESOURCES, type ApiResource, apiVersionOf } from './resources.js';

/** What the embedded cluster says it is; clients compare the minor. */
export const SERVER_VERSION = {
  major: '1',
  minor: '37',
  gitVersion: 'v1.37.0+catamaran',
  platform: 'embedded',
} as const;

const METRICS = { group: 'metrics.k8s.io', version: 'v1beta1' } as const;

/** The discovery document at a path, or undefined when nothing is served there. */
export function discoveryDocument(path: string): object | undefined {
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups().map(groupEntry) };
  const [, , group = '', version] = path.split('/');
  if (path === '/api/v1') return resourceList({ group: '', version: 'v1' });
  const known = groups().find((candidate) => candidate.group === group);
  if (known === undefined || path.startsWith('/api/')) return undefined;
  if (version === undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(known) };
  return version === known.version ? resourceList(known) : undefined;
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

function groups(): readonly GroupVersion[] {
  const own = API_RESOURCES.filter(({ group }) => group !== '');
  return [...own, METRICS];
}

function groupEntry({ group, version }: GroupVersion): object {
  const preferred = { groupVersion: `${group}/${version}`, version };
  return { name: group, versions: [preferred], preferredVersion: preferred };
}

function resourceList(of: GroupVersion): object {
  const own = API_RESOURCES.filter(({ group, version }) => group === of.group && version === of.version);
  const resources = of.group === METRICS.group ? [metricsEntry()] : own.flatMap(resourceEntries);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersionOf(of), resources };
}

function resourceEntries(resource: ApiResource): object[] {
  const { name, kind, namespaced, verbs, shortNames, categories, subresources } = resource;
  const singularName = kind.toLowerCase();
  const main = {
    name,
    singularName,
    namespaced,
    kind,
    verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
  };
  const below = subresources.map((subresource) => ({
    name: `${name}/${subresource}`,
    singularName: '',
    namespaced,
    kind: subresource === 'binding' ? 'Binding' : kind,
    verbs: subresource === 'binding' ? ['create'] : ['get', 'patch', 'update'],
  }));
  return [main, ...below];
}

function metricsEntry(): object {
  return { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list'] };
}
