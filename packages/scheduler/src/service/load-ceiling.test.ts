import { nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { loadPoliciesOf } from './load-source.js';
import { configOf, SchedulerWorld, START_MS } from './scheduler-world.test.js';

const OURS = { schedulerName: 'packer', requests: { cpu: '100m' } };

/** @param args of LoadCeiling, as YAML. */
const ceiling = (args: string): string => `clientConnection: {qps: -1}
leaderElection: {leaderElect: false}
profiles:
- schedulerName: packer
  plugins: {filter: {enabled: [{name: LoadCeiling}]}}
  pluginConfig:
  - {name: LoadCeiling, args: {${args}}}
`;
const CPU = ceiling('watcherAddress: "http://watcher.example:2020", ceilings: {cpu: 80}');

describe('a scheduler with LoadCeiling', () => {
  let world: SchedulerWorld;
  beforeEach(() => {
    world = new SchedulerWorld();
  });
  afterEach(() => world.close());

  it('keeps a pod waiting with the reason, and places it when figures fall', async () => {
    for (const name of ['a', 'b']) world.cluster.createNode(nodeOf(name));
    world.watcher.tell({ a: 95, b: 81 }, START_MS);
    const service = await world.start(CPU);
    world.cluster.createPod(podOf('p', OURS));
    await world.settle();
    expect(world.condition('p')?.message).to.equal(
      '0/2 nodes are available: 2 node(s) had cpu load above the ceiling.',
    );
    const [explained] = service.explainer.recorded('default/p');
    expect(explained?.nodes.map(({ name, inputs }) => [name, inputs?.LoadCeiling?.ceilings])).to.deep.equal([
      ['a', { cpu: { percent: 95, ceiling: 80 } }],
      ['b', { cpu: { percent: 81, ceiling: 80 } }],
    ]);
    world.watcher.tell({ a: 95, b: 40 }, START_MS + 60_000);
    await world.advance(60_000);
    expect(world.nodeOf('p')).to.equal('b');
  });

  it("places it when a node's annotation lifts the ceiling", async () => {
    world.cluster.createNode(nodeOf('a'));
    world.watcher.tell({ a: 95 }, START_MS);
    await world.start(CPU);
    world.cluster.createPod(podOf('p', OURS));
    await world.settle();
    expect(world.nodeOf('p')).to.equal(undefined);
    const annotations = { 'catamaran.dev/load-ceiling': 'cpu=off' };
    const node = world.cluster.objects.get('nodes', 'a');
    world.cluster.objects.update('nodes', { ...node, metadata: { ...node.metadata, annotations } });
    await world.advance(15_000);
    expect(world.nodeOf('p')).to.equal('a');
  });

  it('needs a load-watcher only for ceilings of CPU and memory', () => {
    const sourcesOf = (text: string) =>
      configOf(text)
        .profiles.flatMap(loadPoliciesOf)
        .map(({ source, plugins, maxAgeMs }) => [source.key, ...plugins, maxAgeMs]);
    expect(sourcesOf(CPU)).to.deep.equal([['http://watcher.example:2020', 'LoadCeiling', 300_000]]);
    const signal = 'signals: [{name: gpu, promQL: x, unit: percent}], prometheus: {address: "http://p"}';
    expect(sourcesOf(ceiling(`ceilings: {gpu: 80}, ${signal}`))).to.deep.equal([]);
  });
});
