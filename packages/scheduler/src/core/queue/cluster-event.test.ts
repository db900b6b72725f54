import { expect } from 'chai';
import {
  type ClusterEvent,
  mayHelp,
  type NodeChange,
  type PodChange,
  REFUSED_FEATURE,
} from './cluster-event.js';

const nodeName = 'n';

function nodeUpdated(change: NodeChange): ClusterEvent {
  return { kind: 'node-updated', nodeName, changes: new Set([change]) };
}

function podUpdated(change: PodChange): ClusterEvent {
  return { kind: 'assigned-pod-updated', nodeName, changes: new Set([change]) };
}

/** Every kind of event, as kube-scheduler tells them apart. */
const EVENTS: Readonly<Record<string, ClusterEvent>> = {
  'node added': { kind: 'node-added', nodeName },
  allocatable: nodeUpdated('allocatable'),
  labels: nodeUpdated('labels'),
  taints: nodeUpdated('taints'),
  cordon: nodeUpdated('unschedulable'),
  conditions: nodeUpdated('conditions'),
  ceiling: nodeUpdated('load-ceiling'),
  'pod added': { kind: 'assigned-pod-added', nodeName },
  'pod labels': podUpdated('labels'),
  'pod shrunk': podUpdated('scaled-down'),
  'pod deleted': { kind: 'assigned-pod-deleted', nodeName },
  'nomination gone': { kind: 'nomination-gone', nodeName },
  namespace: { kind: 'namespace-updated' },
  load: { kind: 'load-updated' },
  unknown: { kind: 'unknown' },
};

/** Who refused, and which events may change that; events that were not remembered may help anyone. */
const ROWS: readonly (readonly [string, readonly string[]])[] = [
  ['NodeName', ['node added']],
  ['NodeUnschedulable', ['node added', 'cordon', 'taints']],
  ['TaintToleration', ['node added', 'taints']],
  ['NodeAffinity', ['node added', 'labels']],
  ['NodePorts', ['node added', 'pod deleted', 'nomination gone']],
  ['NodeResourcesFit', ['node added', 'allocatable', 'pod shrunk', 'pod deleted', 'nomination gone']],
  [
    'InterPodAffinity',
    ['node added', 'labels', 'pod added', 'pod labels', 'pod deleted', 'nomination gone', 'namespace'],
  ],
  ['LoadCeiling', ['node added', 'ceiling', 'load']],
];

function helpful(rejectedBy: readonly string[]): readonly string[] {
  return Object.keys(EVENTS).filter((name) => mayHelp(EVENTS[name] as ClusterEvent, new Set(rejectedBy)));
}

function inOrder(names: readonly string[]): readonly string[] {
  return Object.keys(EVENTS).filter((name) => name === 'unknown' || names.includes(name));
}

describe('an event may help a pod', () => {
  for (const [plugin, names] of ROWS) {
    it(`that ${plugin} refused: ${names.join(', ')}`, () => {
      expect(helpful([plugin])).to.deep.equal(inOrder(names));
    });
  }

  it('that several refused when it may help against any of them', () => {
    expect(helpful(['NodeName', 'NodePorts', 'TaintToleration'])).to.deep.equal(
      inOrder(['node added', 'taints', 'pod deleted', 'nomination gone']),
    );
  });

  it('that was refused for a feature only where nobody remembers what happened', () => {
    expect(helpful([REFUSED_FEATURE])).to.deep.equal(['unknown']);
  });

  it('that a plugin refused of which nothing is known, whatever it is', () => {
    expect(helpful(['SomethingElse'])).to.deep.equal(Object.keys(EVENTS));
  });

  it('that failed for want of nodes, save that figures of load bring none', () => {
    expect(helpful([])).to.deep.equal(Object.keys(EVENTS).filter((name) => name !== 'load'));
  });
});
