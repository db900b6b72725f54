import { expect } from 'chai';
import { tableOf, wantsTable } from './table.js';

const NOW_MS = Date.UTC(2026, 10, 30, 15);
const metadata = { name: 'x', creationTimestamp: '2026-11-30T14:00:00Z' };

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object?: object }[];
}

function table(kind: string, object: object, rowObject: 'None' | 'Metadata' | 'Object' = 'None'): Table {
  return tableOf([{ metadata, ...object }], {}, { kind, rowObject, context: { nowMs: NOW_MS } }) as Table;
}

/** Cells by the names of their columns. */
function row(kind: string, object: object): Record<string, unknown> {
  const { columnDefinitions, rows } = table(kind, object);
  return Object.fromEntries(columnDefinitions.map(({ name }, index) => [name, rows[0]?.cells[index]]));
}

const ready = (status: string) => ({ status: { conditions: [{ type: 'Ready', status }] } });

describe('tables', () => {
  const nodes: [sentence: string, node: object, expected: object][] = [
    ['a node that is ready', ready('True'), { Name: 'x', Status: 'Ready', Roles: '<none>', Age: '60m' }],
    ['a node that is not', ready('False'), { Status: 'NotReady' }],
    ['a node whose kubelet is silent', ready('Unknown'), { Status: 'NotReady' }],
    ['a node that never said', {}, { Status: 'Unknown', Version: '', 'Internal-IP': '<none>' }],
    [
      'a node that is cordoned',
      { ...ready('True'), spec: { unschedulable: true } },
      { Status: 'Ready,SchedulingDisabled' },
    ],
    [
      'the roles of a node, in order',
      {
        metadata: {
          ...metadata,
          labels: {
            'node-role.kubernetes.io/worker': '',
            'node-role.kubernetes.io/control-plane': '',
            zone: 'a',
          },
        },
      },
      { Roles: 'control-plane,worker' },
    ],
    [
      'addresses and versions',
      {
        status: {
          addresses: [
            { type: 'Hostname', address: 'h' },
            { type: 'InternalIP', address: '10.0.0.1' },
          ],
          nodeInfo: { kubeletVersion: 'v1.37.2', osImage: 'Debian' },
        },
      },
      { Version: 'v1.37.2', 'Internal-IP': '10.0.0.1', 'OS-Image': 'Debian', 'Kernel-Version': '<unknown>' },
    ],
  ];
  for (const [sentence, node, expected] of nodes) {
    it(`show ${sentence}`, () => expect(row('Node', node)).to.include(expected));
  }

  const spec = { containers: [{ name: 'a' }, { name: 'b' }] };
  const pods: [sentence: string, pod: object, expected: object][] = [
    [
      'a pod that waits',
      { spec, status: { phase: 'Pending' } },
      {
        Ready: '0/2',
        Status: 'Pending',
        Restarts: 0,
        Node: '<none>',
        IP: '<none>',
        'Readiness Gates': '<none>',
      },
    ],
    [
      'a pod that runs',
      {
        spec: { ...spec, nodeName: 'n1' },
        status: {
          phase: 'Running',
          podIP: '10.1.0.1',
          containerStatuses: [
            { ready: true, restartCount: 2, state: { running: {} } },
            { ready: true, restartCount: 1 },
          ],
        },
      },
      { Ready: '2/2', Status: 'Running', Restarts: 3, Node: 'n1', IP: '10.1.0.1' },
    ],
    [
      'a pod whose container waits',
      {
        spec,
        status: {
          phase: 'Running',
          containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }],
        },
      },
      { Status: 'CrashLoopBackOff' },
    ],
    [
      'a pod that was evicted',
      { spec, status: { phase: 'Failed', reason: 'Evicted' } },
      { Status: 'Evicted' },
    ],
    [
      'a pod that is gated',
      {
        spec,
        status: {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
        },
      },
      { Status: 'SchedulingGated' },
    ],
    [
      'a pod that goes',
      {
        metadata: { ...metadata, deletionTimestamp: '2026-11-30T14:59:00Z' },
        spec,
        status: { phase: 'Running' },
      },
      { Status: 'Terminating' },
    ],
    [
      'readiness gates that are met',
      {
        spec: { ...spec, readinessGates: [{ conditionType: 'lb' }, { conditionType: 'dns' }] },
        status: { conditions: [{ type: 'lb', status: 'True' }] },
      },
      { 'Readiness Gates': '1/2' },
    ],
  ];
  for (const [sentence, pod, expected] of pods) {
    it(`show ${sentence}`, () => expect(row('Pod', pod)).to.include(expected));
  }

  it('show an event by either of its names', () => {
    const own = { eventTime: '2026-11-30T14:58:00Z', type: 'Normal', reason: 'Scheduled', note: 'assigned' };
    const expected = { 'Last Seen': '2m', Object: 'pod/p1', Message: 'assigned' };
    expect(row('Event', { ...own, regarding: { kind: 'Pod', name: 'p1' } })).to.include(expected);
    const { note, ...older } = own;
    const core = { ...older, message: note, involvedObject: { kind: 'Pod', name: 'p1' } };
    expect(row('Event', core)).to.include(expected);
  });

  it('show name and age of what they know nothing about', () => {
    expect(row('Service', {})).to.deep.equal({ Name: 'x', Age: '60m' });
  });

  it('survive an object of any shape', () => {
    for (const status of [
      null,
      5,
      'x',
      [],
      { conditions: 'x', containerStatuses: [null, 5, { state: 3 }] },
    ]) {
      expect(row('Pod', { spec: status, status }).Ready).to.match(/^0\/\d/);
      expect(row('Node', { spec: status, status }).Status).to.equal('Unknown');
    }
  });

  it('carry of each object as much as is asked for', () => {
    expect(table('Pod', { spec }).rows[0]).not.to.have.property('object');
    expect(table('Pod', { spec }, 'Metadata').rows[0]?.object).to.deep.equal({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
    });
    expect(table('Pod', { spec }, 'Object').rows[0]?.object).to.deep.equal({ metadata, spec });
  });

  const accepted: [accept: string, expected: boolean][] = [
    [
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
      true,
    ],
    ['application/json; as=Table; v=v1; g=meta.k8s.io', true],
    ['application/json,application/json;as=Table;v=v1;g=meta.k8s.io', false],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', false],
    ['application/json', false],
    ['*/*', false],
    ['', false],
  ];
  for (const [accept, expected] of accepted) {
    it(`are ${expected ? '' : 'not '}wanted by ${accept || 'nothing'}`, () =>
      expect(wantsTable(accept)).to.equal(expected));
  }
});
