import type { Taint } from '@catamaran/model';
import { definePlugin, filterPart } from '../../framework/plugin-definition.js';
import { isTolerated } from '../../selectors/toleration.js';

const NAME = 'NodeUnschedulable';
const CORDON_TAINT: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const REJECTION = {
  plugin: NAME,
  code: 'UnschedulableAndUnresolvable',
  reasons: ['node(s) were unschedulable'],
} as const;

/** A cordoned node takes only pods that tolerate the taint that stands for it. */
export const nodeUnschedulable = definePlugin(NAME, () =>
  filterPart<undefined>({
    name: NAME,
    scope: 'node-object',
    filter: ({ pod }, node) =>
      !node.unschedulable || isTolerated(CORDON_TAINT, pod.pod.spec.tolerations ?? [])
        ? undefined
        : REJECTION,
  }),
);
