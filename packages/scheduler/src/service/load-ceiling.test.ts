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

  it('says everywhere that ceilings are not applied while figures are too old, once', async () => {
    for (const name of ['a', 'b']) world.cluster.createNode(nodeOf(name));
    world.watcher.tell({ a: 95, b: 96 }, START_MS - 400_000);
    const service = await world.start(CPU);
    world.cluster.createPod(podOf('p', OURS));
    await world.settle();
    const [explained] = service.explainer.recorded('default/p');
    const gap = { figure: 'cpu', reason: 'too-old', ageSeconds: 400, maxAgeSeconds: 300 };
    expect(explained?.outcome).to.equal('placed');
    expect(explained?.gaps).to.deep.equal([{ plugin: 'LoadCeiling', ...gap, nodes: 2 }]);
    expect(explained?.nodes.map(({ inputs }) => inputs?.LoadCeiling)).to.deep.equal(
      ['a', 'b'].map(() => ({
        mode: 'hard',
        metricsAgeSeconds: 400,
        ceilings: { cpu: { percent: null, ceiling: 80, missing: 'too-old' } },
        gaps: [gap],
        missingMetrics: 'pass',
      })),
    );
    const gauge = async (reason: string) => {
      const { body } = await world.metrics.render();
      const label = `catamaran_scheduler_load_ceiling_gap_nodes{profile="packer",figure="cpu",reason="${reason}"} `;
      return body
        .split('\n')
        .find((line) => line.startsWith(label))
        ?.slice(label.length);
    };
    expect([await gauge('too-old'), await gauge('no-figure')]).to.deep.equal(['2', '0']);
    await world.advance(90_000);
    const lines = () => world.logged('ceilings can not be applied: no usable figures');
    expect(lines().map(({ fields }) => fields)).to.deep.equal([
      {
        nodes: 2,
        figures: { cpu: 'too-old: 6m40s, at most 5m' },
        consequence: 'these nodes pass (missingMetrics: pass)',
      },
    ]);
    expect(world.logged('load figures are too old').map(({ fields }) => fields.consequence)).to.deep.equal([
      'LoadCeiling lets every node pass (missingMetrics: pass)',
    ]);
    world.watcher.tell({ a: 95, b: 40 }, START_MS + 90_000);
    await world.advance(60_000);
    expect(world.logged('ceilings are applied to every node')).to.have.length(1);
    expect(await gauge('too-old')).to.equal('0');
  });

  it('places a waiting pod when the figures against it get too old, though nothing new comes', async () => {
    world.cluster.createNode(nodeOf('a'));
    world.watcher.tell({ a: 95 }, START_MS);
    await world.start(CPU);
    world.cluster.createPod(podOf('p', OURS));
    await world.settle();
    await world.advance(300_000);
    expect(world.nodeOf('p')).to.equal(undefined);
    await world.advance(1_000);
    expect(world.nodeOf('p')).to.equal('a');
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
