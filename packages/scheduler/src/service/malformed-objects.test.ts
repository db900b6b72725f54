import type { KubernetesObject } from '@catamaran/model';
import { nodeOf, type PodShape, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { PLAIN, SchedulerWorld } from './scheduler-world.test.js';

const OURS: PodShape = { schedulerName: 'packer', requests: { cpu: '1' } };
const LEFT_OUT = 'an object can not be read and is left out';
const IN_PART = 'fields of an object can not be read and count as missing';

/** What becomes of the object named `bad`. */
const WAYS: readonly (readonly [sentence: string, kind: string, change: (object: object) => unknown])[] = [
  ['a node without metadata', 'node', (node) => ({ ...node, metadata: null })],
  ['a node that is null', 'node', () => null],
  ['a node with a text for taints', 'node', (node) => ({ ...node, spec: { taints: 'x' } })],
  ['a pod without a name', 'pod', (pod) => ({ ...pod, metadata: { namespace: 'default' } })],
  ['a pod with a number for a place', 'pod', (pod) => ({ ...pod, spec: { nodeName: 5 } })],
  ['a pod with null for a spec', 'pod', (pod) => ({ ...pod, spec: null })],
  ['a pod with a number for containers', 'pod', (pod) => ({ ...pod, spec: { containers: 5 } })],
  [
    'a namespace with a list for labels',
    'namespace',
    ({ ...namespace }) => ({ ...namespace, metadata: { name: 'bad', labels: [] } }),
  ],
];

describe('a malformed object', () => {
  let world: SchedulerWorld;

  beforeEach(() => {
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('good'));
  });

  afterEach(() => world.close());

  function tamper(change: (object: object) => unknown): void {
    world.intercept.tamper = (object: KubernetesObject) =>
      object.metadata.name === 'bad' ? change(object) : object;
  }

  function createBad(kind: string): void {
    if (kind === 'node') world.cluster.createNode(nodeOf('bad', { cpu: '64' }));
    else if (kind === 'pod') world.cluster.createPod(podOf('bad', { ...OURS, nodeName: 'good' }));
    else world.cluster.createNamespace('bad');
  }

  for (const [sentence, kind, change] of WAYS) {
    it(`${sentence}, in a list, is named and holds up nothing`, async () => {
      tamper(change);
      createBad(kind);
      await world.start(PLAIN);
      world.cluster.createPod(podOf('p', OURS));
      await world.settle();
      expect(world.nodeOf('p')).to.equal('good');
      const said = [...world.logged(LEFT_OUT), ...world.logged(IN_PART)];
      expect(said.map(({ fields }) => fields.kind)).to.deep.equal([kind]);
    });

    it(`${sentence}, in a watch, is named once and holds up nothing`, async () => {
      tamper(change);
      await world.start(PLAIN);
      createBad(kind);
      // An object without metadata has no version that one could catch up with.
      world.cluster.createNode(nodeOf('later', { unschedulable: true }));
      world.cluster.createPod(podOf('p', OURS));
      await world.settle();
      expect(world.nodeOf('p')).to.equal('good');
      expect([...world.logged(LEFT_OUT), ...world.logged(IN_PART)]).to.have.length(1);
      expect((await world.metrics.render()).body).to.match(
        new RegExp(`catamaran_scheduler_malformed_objects_total\\{kind="${kind}"\\} [1-9]`),
      );
    });
  }

  it('nulls where nothing is meant are no fault: labels, status, deletion time, fields', async () => {
    tamper((pod) => {
      const { metadata, spec } = pod as { metadata: object; spec: object };
      const fields = { key: 'metadata.name', operator: 'In', values: ['good'] };
      const nodeSelectorTerms = [{ matchExpressions: null, matchFields: [fields] }];
      const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
      return {
        metadata: { ...metadata, labels: null, deletionTimestamp: null },
        spec: { ...spec, tolerations: null, volumes: null, initContainers: null, affinity: { nodeAffinity } },
        status: null,
      };
    });
    await world.start(PLAIN);
    world.cluster.createPod(podOf('bad', OURS));
    await world.settle();
    expect(world.nodeOf('bad')).to.equal('good');
    expect([...world.logged(LEFT_OUT), ...world.logged(IN_PART)]).to.deep.equal([]);
  });

  it('a pending pod with a field that can not be read is refused by its name', async () => {
    tamper((pod) => ({ ...pod, spec: { ...(pod as { spec: object }).spec, tolerations: 'all' } }));
    await world.start(PLAIN);
    world.cluster.createPod(podOf('bad', OURS));
    await world.settle();
    expect(world.condition('bad')?.reason).to.equal('SchedulerError');
    expect(world.condition('bad')?.message).to.match(
      /^not supported by this scheduler: malformed field spec\.tolerations: expected a list, got "all";/,
    );
  });

  it('a placed pod with amounts that can not be read counts by the others it holds', async () => {
    tamper((pod) => {
      const { spec } = pod as { spec: object };
      const resources = { requests: { cpu: 'plenty', memory: '15Gi' } };
      return { ...pod, spec: { ...spec, containers: [{ name: 'c', resources }] } };
    });
    world.cluster.createPod(podOf('bad', { nodeName: 'good' }));
    await world.start(PLAIN);
    world.cluster.createPod(podOf('p', { ...OURS, requests: { memory: '2Gi' } }));
    await world.settle();
    expect(world.condition('p')?.message).to.equal('0/1 nodes are available: 1 Insufficient memory.');
  });
});
