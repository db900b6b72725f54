import type { Toleration } from '@catamaran/model';
import type { FilterPlugin, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, filterPart, scorePart } from '../../framework/plugin-definition.js';
import { reversedShareOfMax } from '../../framework/share-of-max.js';
import { isTolerated } from '../../selectors/toleration.js';
import { intolerableSoftTaints, softTolerations } from './score.js';

const NAME = 'TaintToleration';
const REJECTION = {
  plugin: NAME,
  code: 'UnschedulableAndUnresolvable',
  reasons: ['node(s) had untolerated taint(s)'],
} as const;
const NONE: readonly Toleration[] = [];

const filter: FilterPlugin<undefined> = {
  name: NAME,
  scope: 'node-object',
  filter: ({ pod }, { taints }) => {
    if (taints.length === 0) return undefined;
    const tolerations = pod.pod.spec.tolerations ?? NONE;
    const refused = taints.some(
      (taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(taint, tolerations),
    );
    return refused ? REJECTION : undefined;
  },
};

const score: ScorePlugin<readonly Toleration[]> = {
  name: NAME,
  scope: 'node-object',
  preScore: ({ pod }) => ({ kind: 'continue', state: softTolerations(pod.pod.spec.tolerations ?? NONE) }),
  score: (_cycle, { taints }, tolerations) =>
    taints.length === 0 ? 0 : intolerableSoftTaints(taints, tolerations),
  normalize: reversedShareOfMax,
  explain: (_cycle, { taints }, tolerations) => ({
    intolerableSoftTaints: intolerableSoftTaints(taints, tolerations),
  }),
};

/** Hard taints (`NoSchedule`, `NoExecute`) refuse, soft ones (`PreferNoSchedule`) lower the score. */
export const taintToleration = definePlugin(NAME, () => ({ ...filterPart(filter), ...scorePart(score) }));
