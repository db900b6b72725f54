import { AGE, type Column, metadataOf, NAME } from './columns.js';
import { objectsAt, orNone, textAt, valueAt } from './object-reader.js';

const ROLE_PREFIX = 'node-role.kubernetes.io/';

export const NODE_COLUMNS: readonly Column[] = [
  NAME,
  { name: 'Status', description: 'Whether pods can run here.', cell: statusOf },
  { name: 'Roles', description: 'Roles given by labels.', cell: rolesOf },
  AGE,
  info('Version', 'kubeletVersion', false),
  address('Internal-IP', 'InternalIP'),
  address('External-IP', 'ExternalIP'),
  info('OS-Image', 'osImage', true),
  info('Kernel-Version', 'kernelVersion', true),
  info('Container-Runtime', 'containerRuntimeVersion', true),
];

function statusOf(node: object): string {
  const ready = objectsAt(node, 'status', 'conditions').find(({ type }) => type === 'Ready')?.status;
  const status = ready === undefined ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, ['spec', 'unschedulable']) === true ? `${status},SchedulingDisabled` : status;
}

function rolesOf(node: object): string {
  const roles = Object.keys(metadataOf(node).labels ?? {})
    .filter((label) => label.startsWith(ROLE_PREFIX))
    .map((label) => label.slice(ROLE_PREFIX.length));
  return orNone(roles.sort().join(','));
}

function info(name: string, field: string, isWide: boolean): Column {
  return {
    name,
    description: `nodeInfo.${field} as the node reports it.`,
    isWide,
    cell: (node) => textAt(node, 'status', 'nodeInfo', field) || (isWide ? '<unknown>' : ''),
  };
}

function address(name: string, type: string): Column {
  return {
    name,
    description: `First address of type ${type}.`,
    isWide: true,
    cell: (node) => {
      const found = objectsAt(node, 'status', 'addresses').find((entry) => entry.type === type);
      return orNone(textAt(found ?? {}, 'address'));
    },
  };
}
