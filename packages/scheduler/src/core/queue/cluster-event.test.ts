import { expect } from 'chai';
import { type ClusterEvent, mayHelp } from './cluster-event.js';

const LOAD: ClusterEvent = { kind: 'load-updated' };
const CEILING: ClusterEvent = {
  kind: 'node-updated',
  nodeName: 'n',
  changes: new Set(['load-ceiling'] as const),
};

/** Sentence, event, who refused the pod, whether it may help. */
const ROWS: readonly (readonly [string, ClusterEvent, readonly string[], boolean])[] = [
  ['new figures may help a pod that a ceiling keeps away', LOAD, ['LoadCeiling'], true],
  [
    'new figures may help where a ceiling is one of two reasons',
    LOAD,
    ['NodeResourcesFit', 'LoadCeiling'],
    true,
  ],
  ['new figures make no room', LOAD, ['NodeResourcesFit', 'TaintToleration'], false],
  ["a node's other ceiling may help", CEILING, ['LoadCeiling'], true],
  ["a node's other ceiling makes no room", CEILING, ['NodeResourcesFit'], false],
  ['a node more may help', { kind: 'node-added', nodeName: 'n' }, ['LoadCeiling'], true],
  [
    'a pod less is no less load until figures say so',
    { kind: 'assigned-pod-deleted', nodeName: 'n' },
    ['LoadCeiling'],
    false,
  ],
];

describe('events of load', () => {
  for (const [sentence, event, rejectedBy, helps] of ROWS) {
    it(sentence, () => {
      expect(mayHelp(event, new Set(rejectedBy))).to.equal(helps);
    });
  }
});
