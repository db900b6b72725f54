import { definePlugin, filterPart } from '../../framework/plugin-definition.js';

const NAME = 'NodeName';
const REJECTION = {
  plugin: NAME,
  code: 'UnschedulableAndUnresolvable',
  reasons: ["node(s) didn't match the requested node name"],
} as const;

/** A pod that names its node goes there or nowhere. */
export const nodeName = definePlugin(NAME, () =>
  filterPart<string>({
    name: NAME,
    scope: 'node-object',
    preFilter: ({ pod }) => {
      const wanted = pod.pod.spec.nodeName ?? '';
      return wanted === '' ? { kind: 'skip' } : { kind: 'continue', state: wanted };
    },
    filter: (_cycle, node, wanted) => (node.name === wanted ? undefined : REJECTION),
  }),
);
