import type { Node, Pod } from '@catamaran/model';
import { expect } from 'chai';
import { ClusterState } from '../../state/cluster-state.js';
import type { NodeInfo } from '../../state/node-info.js';
import { podInfo } from '../../state/pod-info.js';
import { fitKernel, fits, shortfalls, wanted } from './fit.js';

type Amounts = Readonly<Record<string, string>>;

function nodeWith(allocatable: Amounts, held: Amounts | undefined): NodeInfo {
  const node: Node = { metadata: { name: 'n' }, status: { allocatable } };
  const state = new ClusterState();
  state.upsertNode(node);
  if (held !== undefined)
    state.upsertPod({ ...podWith(held), spec: { ...podWith(held).spec, nodeName: 'n' } });
  return state.snapshot(0).nodeAt(0);
}

function podWith(requests: Amounts): Pod {
  return { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', resources: { requests } }] } };
}

const ROOM = { cpu: '4', memory: '8Gi', pods: '10' };

/** Sentence, allocatable, held by a pod there, asked for, code (undefined: fits) and reasons. */
const ROWS: readonly (readonly [
  string,
  Amounts,
  Amounts | undefined,
  Amounts,
  string | undefined,
  ...string[],
])[] = [
  ['exactly what is left fits', ROOM, { cpu: '1' }, { cpu: '3' }, undefined],
  ['one milli more does not', ROOM, { cpu: '1' }, { cpu: '3001m' }, 'Unschedulable', 'Insufficient cpu'],
  [
    'more than the node has at all can not be helped',
    ROOM,
    undefined,
    { cpu: '4001m' },
    'UnschedulableAndUnresolvable',
    'Insufficient cpu',
  ],
  [
    'all shortfalls are told',
    { cpu: '1', memory: '1Gi', pods: '1' },
    { cpu: '1' },
    { cpu: '500m', memory: '2Gi', 'ephemeral-storage': '1', 'example.com/gpu': '1' },
    'UnschedulableAndUnresolvable',
    'Too many pods',
    'Insufficient cpu',
    'Insufficient memory',
    'Insufficient ephemeral-storage',
    'Insufficient example.com/gpu',
  ],
  ['a node without a number of pods is full', { cpu: '4' }, undefined, {}, 'Unschedulable', 'Too many pods'],
  [
    'asking for nothing fits where nothing is left',
    { cpu: '1', pods: '5' },
    { cpu: '1' },
    { cpu: '0' },
    undefined,
  ],
  [
    'an asked zero of an unknown resource is no obstacle',
    ROOM,
    undefined,
    { 'example.com/gpu': '0' },
    undefined,
  ],
  ['an ignored resource is not looked at', ROOM, undefined, { 'ignored.com/x': '1' }, undefined],
  [
    'memory is compared exactly beyond 2^53',
    { memory: '9007199254740993', pods: '10' },
    { memory: '1' },
    { memory: '9007199254740993' },
    'Unschedulable',
    'Insufficient memory',
  ],
];

describe('NodeResourcesFit filter', () => {
  for (const [sentence, allocatable, held, asked, code, ...reasons] of ROWS) {
    it(sentence, () => {
      const node = nodeWith(allocatable, held);
      const { requests } = podInfo(podWith(asked));
      const isIgnored = (name: string): boolean => name.startsWith('ignored.com/');
      const rejection = shortfalls(requests, node, isIgnored);
      expect(rejection?.code).to.equal(code);
      expect(rejection?.reasons ?? []).to.deep.equal(reasons);
      expect(fits(requests, node, isIgnored)).to.equal(code === undefined);
      const row = new Float64Array(fitKernel.width);
      fitKernel.digest(node, wanted(requests), row);
      const verdict = fitKernel.value(wanted(requests), row, 0);
      if (!Number.isNaN(verdict)) expect(verdict === 1).to.equal(code === undefined);
    });
  }
});
