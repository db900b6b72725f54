import type { Node } from '@catamaran/model';

/** What is of use here; fields of another shape than they should have are left out. */
export function projectNode({ metadata, status }: Node): Node {
  const { name, uid, creationTimestamp } = metadata;
  const hostname: unknown = metadata.labels?.['kubernetes.io/hostname'];
  const os: unknown = status?.nodeInfo?.operatingSystem ?? metadata.labels?.['kubernetes.io/os'];
  return {
    metadata: {
      name,
      ...(typeof uid === 'string' ? { uid } : {}),
      ...(typeof creationTimestamp === 'string' ? { creationTimestamp } : {}),
      ...(typeof hostname === 'string' ? { labels: { 'kubernetes.io/hostname': hostname } } : {}),
    },
    status: {
      capacity: capacityOf(status?.capacity ?? {}),
      addresses: addressesOf(status?.addresses),
      ...(typeof os === 'string' ? { nodeInfo: { operatingSystem: os } } : {}),
    },
  };
}

/** Whether it is an object with a name; API servers never send anything else, what stands in for them may. */
export function isNamed(item: unknown): item is Node {
  const name: unknown = (item as Partial<Node> | null)?.metadata?.name;
  return typeof name === 'string' && name !== '';
}

function addressesOf(addresses: unknown): NonNullable<NonNullable<Node['status']>['addresses']> {
  if (!Array.isArray(addresses)) return [];
  return addresses.filter((entry) => typeof entry?.address === 'string');
}

function capacityOf(capacity: Readonly<Record<string, string | number>>): Record<string, string | number> {
  const kept: Record<string, string | number> = {};
  for (const resource of ['cpu', 'memory']) {
    const value = capacity[resource];
    if (value !== undefined && value !== null) kept[resource] = value;
  }
  return kept;
}
