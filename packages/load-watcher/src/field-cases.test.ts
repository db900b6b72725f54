import { encodeWatcherDocument, type Node, type NodeMetricsObject } from '@catamaran/model';
import { expect } from 'chai';
import fc from 'fast-check';
import { NodeIndex } from './core/mapping/node-index.js';
import { type InfoTables, resolveNode } from './core/mapping/resolve-node.js';
import { runAtOnce } from './event-loop.js';
import { decodeUsage } from './providers/metrics-server/decode.js';

const NOW = '2027-01-15T08:00:00Z';
const CONTEXT = { nowMs: Date.parse(NOW), limits: { maxAgeMs: 300_000, maxAheadMs: 120_000 } };

type Quantity = string | number | null;

function decodeOne(
  used: Readonly<Record<string, Quantity>>,
  capacity: Readonly<Record<string, Quantity>>,
  more: Partial<Node> = {},
) {
  const node = { metadata: { name: 'n1' }, ...more, status: { capacity, ...more.status } } as Node;
  const item = { metadata: { name: 'n1' }, timestamp: NOW, usage: used } as NodeMetricsObject;
  const { samples, absences } = runAtOnce(
    decodeUsage([item], { ...CONTEXT, nodes: new Map([['n1', node]]) }),
  );
  return {
    percent: samples[0]?.percent ?? {},
    absent: absences.map(({ metric, reason }) => `${metric} ${reason}`),
  };
}

describe('quantities of the Metrics Server (K5)', () => {
  const memory: [kase: string, used: Quantity, capacity: Quantity, percent: number][] = [
    ['C30', '129e6', '258M', 50],
    ['C30', '129M', '258000000', 50],
    ['C30', '128974848000m', '246Mi', 50],
    ['C30', '123Mi', '257949696', 50],
    ['C31', '8053063680', '15728640Ki', 50],
    ['C31', '8G', '16G', 50],
    ['C31', '25587.5Mi', '51175Mi', 50],
    ['C32', 1073741824, '2Gi', 50],
    ['C33', '1.1Gi', '2Gi', (100 * 1181116007) / 2147483648],
    ['C33', '1181116006400m', '2Gi', (100 * 1181116007) / 2147483648],
    ['C33', '0.5Gi', '2Gi', 25],
    ['C34: m on memory is a thousandth of a byte', '100m', '1', 100],
  ];
  for (const [kase, used, capacity, percent] of memory) {
    it(`${kase}: ${used} of ${capacity} of memory`, () => {
      expect(decodeOne({ memory: used }, { memory: capacity }).percent).to.deep.equal({ Memory: percent });
    });
  }

  const cpu: [kase: string, used: Quantity, capacity: Quantity, percent: number][] = [
    ['C29', '123456789n', '4', 3.1],
    ['C29', '1400000000n', '4', 35],
    ['C29', '250u', '1', 0.1],
    ['C29', '2k', '4k', 50],
    ['C30', '120e-3', '1', 12],
    ['C32', 0.5, 2, 25],
  ];
  for (const [kase, used, capacity, percent] of cpu) {
    it(`${kase}: ${used} of ${capacity} of CPU`, () => {
      expect(decodeOne({ cpu: used }, { cpu: capacity }).percent.CPU).to.be.closeTo(percent, 1e-9);
    });
  }

  for (const text of ['1b', '1K', '1KB', '1 Gi', '1gi', '0x10', '', 'NaN', '1,5', '1.5e2m', '1e3Ki']) {
    it(`C34: ${JSON.stringify(text)} costs its own figure, in usage as in capacity`, () => {
      const sound = { cpu: '1', memory: '1Gi' };
      const full = { cpu: '4', memory: '4Gi' };
      for (const result of [
        decodeOne({ ...sound, memory: text }, full),
        decodeOne(sound, { ...full, memory: text }),
      ]) {
        expect(result).to.deep.equal({ percent: { CPU: 25 }, absent: ['Memory bad-quantity'] });
      }
    });
  }

  it('percentages are exact to the last digits, whatever the suffixes', () => {
    const suffixes = { '': 1, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };
    const amount = fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.constantFrom(...Object.entries(suffixes)));
    fc.assert(
      fc.property(amount, amount, ([used, [usedSuffix, usedFactor]], [total, [suffix, factor]]) => {
        const percent = (100 * used * usedFactor) / (total * factor);
        const got = decodeOne({ memory: `${used}${usedSuffix}` }, { memory: `${total}${suffix}` }).percent
          .Memory;
        if (percent > 1000) expect(got).to.equal(undefined);
        else expect(got).to.be.closeTo(percent, percent * 1e-12);
      }),
    );
  });
});

describe('state of nodes (K12)', () => {
  it('C73: a cordoned node is published like any other', () => {
    const cordoned = { spec: { unschedulable: true } } as Partial<Node>;
    expect(decodeOne({ cpu: '1' }, { cpu: '4' }, cordoned).percent).to.deep.equal({ CPU: 25 });
  });

  it('C74: a node that is not ready is published while its sample is fresh', () => {
    const conditions = [{ type: 'Ready', status: 'Unknown' }];
    const notReady = { status: { capacity: { cpu: '4' }, conditions } } as Partial<Node>;
    expect(decodeOne({ cpu: '1' }, { cpu: '4' }, notReady).percent).to.deep.equal({ CPU: 25 });
  });
});

describe('time zones (K13)', () => {
  const before = process.env.TZ;
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it('C76: samples, ages and documents are the same wherever the process runs', () => {
    const outcomes = ['UTC', 'Asia/Shanghai', 'America/St_Johns', 'Europe/Berlin'].map((zone) => {
      process.env.TZ = zone;
      const endUnixSeconds = Math.floor(Date.parse(NOW) / 1000);
      const { percent } = decodeOne({ cpu: '1' }, { cpu: '4' });
      const metric = {
        name: '',
        type: 'CPU',
        operator: 'Latest',
        rollup: '',
        value: percent.CPU ?? Number.NaN,
      };
      return encodeWatcherDocument({
        timestampUnixSeconds: endUnixSeconds,
        window: { duration: '15m', startUnixSeconds: endUnixSeconds - 900, endUnixSeconds },
        source: 'KubernetesMetricsServer',
        nodes: new Map([['n1', [metric]]]),
      });
    });
    expect(new Set(outcomes).size).to.equal(1);
    expect(outcomes[0]).to.contain('"end":1800000000').and.contain('"value":25');
  });
});

describe('mapping with info metrics (K2, K12)', () => {
  const names = fc.constantFrom('n1', 'n2', 'n1.a', 'n1.b', 'gone', '__proto__');
  const keys = fc.constantFrom('mon/p1', 'mon/p2', '10.0.0.1', '10.0.0.2', 'x:9100', 'constructor');
  const table = fc
    .array(fc.tuple(keys, fc.array(names, { maxLength: 2 })))
    .map(
      (entries): ReadonlyMap<string, ReadonlySet<string>> =>
        new Map(entries.map(([key, values]) => [key, new Set(values)])),
    );
  const info: fc.Arbitrary<InfoTables> = fc.record({
    nodesByPod: table,
    nodesByIp: table,
    hostnamesByInstance: table,
  });
  const labels = fc.record(
    {
      instance: fc.constantFrom('10.0.0.1:9100', '10.0.0.2', 'x:9100', 'n1', 'n2:9100', 'n1.c', ''),
      namespace: fc.constantFrom('mon', 'other'),
      pod: fc.constantFrom('p1', 'p2'),
      node: names,
    },
    { requiredKeys: [] },
  );
  const nodes = fc.uniqueArray(fc.constantFrom('n1', 'n2', 'n1.a', 'n1.b'));
  const indexOf = (existing: readonly string[]) =>
    new NodeIndex(existing.map((name) => ({ metadata: { name } })));

  it('names only nodes that exist, the same at every start, and never takes one table for another (C11, C13, C70)', () => {
    fc.assert(
      fc.property(nodes, labels, info, (existing, given, tables) => {
        const found = resolveNode(given, { index: indexOf(existing), info: tables });
        expect(resolveNode(given, { index: indexOf([...existing].reverse()), info: tables })).to.deep.equal(
          found,
        );
        if (found.node === undefined) {
          expect(found.reason).to.be.oneOf(['unmatched-instance', 'ambiguous-instance']);
          return;
        }
        expect(existing).to.include(found.node);
        if (found.rule === 'kube_pod_info') {
          expect([...(tables.nodesByPod.get(`${given.namespace}/${given.pod}`) ?? [])]).to.include(
            found.node,
          );
        }
      }),
    );
  });

  it('a name in the label node always wins, whatever else is said (C13, C70)', () => {
    fc.assert(
      fc.property(nodes, labels, info, (existing, given, tables) => {
        fc.pre(existing.some((name) => name === given.node));
        expect(resolveNode(given, { index: indexOf(existing), info: tables })).to.deep.equal({
          node: given.node,
          rule: 'label node',
        });
      }),
    );
  });
});
