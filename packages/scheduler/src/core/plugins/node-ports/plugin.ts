import { definePlugin, filterPart } from '../../framework/plugin-definition.js';
import { portsConflict } from '../../state/host-port.js';

const NAME = 'NodePorts';
const REJECTION = {
  plugin: NAME,
  code: 'Unschedulable',
  reasons: ["node(s) didn't have free ports for the requested pod ports"],
} as const;

/** Host ports that the pod asks for must be free on the node. */
export const nodePorts = definePlugin(NAME, () =>
  filterPart<undefined>({
    name: NAME,
    preFilter: ({ pod }) =>
      pod.ports.length === 0 ? { kind: 'skip' } : { kind: 'continue', state: undefined },
    filter: ({ pod }, { usedPorts }) =>
      usedPorts.length > 0 &&
      pod.ports.some((wanted) => usedPorts.some((used) => portsConflict(wanted, used)))
        ? REJECTION
        : undefined,
  }),
);
