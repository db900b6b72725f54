import type { Node, NodeMetricsObject } from '@catamaran/model';
import { expect } from 'chai';
import fc from 'fast-check';
import { runAtOnce } from '../../event-loop.js';
import { decodeUsage } from './decode.js';

const NOW = '2027-01-15T08:00:00Z';
const NOW_MS = Date.parse(NOW);
const LIMITS = { maxAgeMs: 300_000, maxAheadMs: 120_000 };

type Quantities = Readonly<Record<string, unknown>>;

function node(name: string, capacity: Quantities | undefined, created?: string): Node {
  return {
    metadata: {
      name,
      uid: `uid of ${name}`,
      ...(created === undefined ? {} : { creationTimestamp: created }),
    },
    status:
      capacity === undefined
        ? {}
        : { capacity: capacity as Record<string, string>, allocatable: { cpu: '1', memory: '2560000Ki' } },
  };
}

function usage(name: string, quantities: Quantities | undefined, timestamp = NOW): NodeMetricsObject {
  return {
    metadata: { name },
    timestamp,
    ...(quantities === undefined ? {} : { usage: quantities as Record<string, string> }),
  };
}

function decode(nodes: readonly Node[], items: readonly NodeMetricsObject[]) {
  const byName = new Map(nodes.map((one) => [one.metadata.name, one]));
  const { samples, absences } = runAtOnce(
    decodeUsage(items, { nodes: byName, nowMs: NOW_MS, limits: LIMITS }),
  );
  return {
    percent: Object.fromEntries(samples.map((sample) => [sample.node, sample.percent])),
    absent: absences.map(({ subject, metric, reason }) => `${subject} ${metric} ${reason}`),
  };
}

const FULL = { cpu: '4', memory: '8Gi' };

describe('decodeUsage', () => {
  const rows: [
    sentence: string,
    nodes: Node[],
    items: NodeMetricsObject[],
    percent: object,
    absent: string[],
  ][] = [
    [
      'a sample without a time counts as missing (C77)',
      [node('n1', FULL), node('n2', FULL)],
      [
        { metadata: { name: 'n1' }, usage: { cpu: '1', memory: '1Gi' } },
        { metadata: { name: 'n2' }, timestamp: null, usage: { cpu: '1' } } as unknown as NodeMetricsObject,
      ],
      {},
      ['n1 all no-sample', 'n2 all no-sample'],
    ],
    [
      'items that are nothing, or have null fields, cost themselves only',
      [node('n1', FULL), node('n2', FULL)],
      [
        null,
        { metadata: null },
        { metadata: { name: 7 } },
        { metadata: { name: 'n2' }, timestamp: NOW, usage: null },
        usage('n1', { cpu: '1', memory: '2Gi' }),
      ] as unknown as NodeMetricsObject[],
      { n1: { CPU: 25, Memory: 25 } },
      [
        'item 0 of the metrics API all malformed-item',
        'item 1 of the metrics API all malformed-item',
        'item 2 of the metrics API all malformed-item',
        'n2 CPU no-sample',
        'n2 Memory no-sample',
      ],
    ],
    [
      'the denominator is capacity, not allocatable (C01)',
      [node('n1', { cpu: '4', memory: '4194304Ki' })],
      [usage('n1', { cpu: '1', memory: '2663424Ki' })],
      { n1: { CPU: 25, Memory: 63.5009765625 } },
      [],
    ],
    [
      'usage above capacity is published (C01)',
      [node('n1', { cpu: '1', memory: '1Gi' })],
      [usage('n1', { cpu: '1500m', memory: '1200Mi' })],
      { n1: { CPU: 150, Memory: 117.1875 } },
      [],
    ],
    [
      'a node without an entry is absent, never 0 (C02)',
      [node('n1', FULL), node('n3', FULL)],
      [usage('n1', { cpu: '0', memory: '0' })],
      { n1: { CPU: 0, Memory: 0 } },
      ['n3 all no-sample'],
    ],
    [
      'an idle node is published as 0 (C03)',
      [node('n1', FULL)],
      [usage('n1', { cpu: '0', memory: '0' })],
      { n1: { CPU: 0, Memory: 0 } },
      [],
    ],
    [
      'a Windows node without its CPU figure has memory alone (C04)',
      [node('win-1', { cpu: '4', memory: '8388608Ki' })],
      [usage('win-1', { memory: '3276800Ki' })],
      { 'win-1': { Memory: 39.0625 } },
      ['win-1 CPU no-sample'],
    ],
    [
      'a node deleted between the two lists is left out, the others stand (C05)',
      [node('n1', FULL)],
      [usage('n1', { cpu: '1', memory: '4Gi' }), usage('ghost', { cpu: '1', memory: '1Gi' })],
      { n1: { CPU: 25, Memory: 50 } },
      ['ghost all unknown-node'],
    ],
    [
      'capacity 0, absent or without status divides nothing (C06)',
      [node('n1', { cpu: '0', memory: '8Gi' }), node('n2', {}), node('n3', undefined)],
      [
        usage('n1', { cpu: '250m', memory: '2Gi' }),
        usage('n2', { cpu: '1', memory: '1' }),
        usage('n3', { cpu: '1' }),
      ],
      { n1: { Memory: 25 } },
      [
        'n1 CPU zero-capacity',
        'n2 CPU zero-capacity',
        'n2 Memory zero-capacity',
        'n3 CPU zero-capacity',
        'n3 Memory no-sample',
      ],
    ],
    [
      'nano-cores are rounded up to whole milli-cores (C29)',
      [node('n1', FULL)],
      [usage('n1', { cpu: '1234567891n', memory: '3145728Ki' })],
      { n1: { CPU: 30.875, Memory: 37.5 } },
      [],
    ],
    [
      'plain numbers and fractions of binary units are quantities (C32, C33)',
      [node('n1', { cpu: 2, memory: '2Gi' })],
      [usage('n1', { cpu: 0.5, memory: '1.5Gi' })],
      { n1: { CPU: 25, Memory: 75 } },
      [],
    ],
    [
      'one bad quantity costs its own figure',
      [node('n1', FULL), node('n2', { cpu: '4 cores', memory: '8Gi' })],
      [usage('n1', { cpu: '1KB', memory: '4Gi' }), usage('n2', { cpu: '1', memory: '4Gi' })],
      { n1: { Memory: 50 }, n2: { Memory: 50 } },
      ['n1 CPU bad-quantity', 'n2 CPU bad-quantity'],
    ],
    [
      'negative usage measures nothing',
      [node('n1', FULL)],
      [usage('n1', { cpu: '-1', memory: '4Gi' })],
      { n1: { Memory: 50 } },
      ['n1 CPU negative'],
    ],
    [
      'null and no usage at all are no figures',
      [node('n1', FULL), node('n2', FULL)],
      [usage('n1', { cpu: null, memory: '4Gi' }), usage('n2', undefined)],
      { n1: { Memory: 50 } },
      ['n1 CPU no-sample', 'n2 CPU no-sample', 'n2 Memory no-sample'],
    ],
    [
      'a sample older than five minutes, or clocks ten minutes apart, is stale',
      [node('n1', FULL), node('n2', FULL)],
      [
        usage('n1', { cpu: '1' }, '2027-01-15T07:50:00Z'),
        usage('n2', { cpu: '1', memory: '4Gi' }, '2027-01-15T07:55:00Z'),
      ],
      { n2: { CPU: 25, Memory: 50 } },
      ['n1 all stale-sample'],
    ],
    [
      'a sample ten minutes ahead of this clock is from the future',
      [node('n1', FULL)],
      [usage('n1', { cpu: '1', memory: '4Gi' }, '2027-01-15T08:10:00Z')],
      {},
      ['n1 all future-sample'],
    ],
    [
      'a sample of an earlier machine of the same name is not inherited (C18)',
      [node('n1', FULL, '2027-01-15T07:59:30Z')],
      [usage('n1', { cpu: '1', memory: '4Gi' }, '2027-01-15T07:59:00Z')],
      {},
      ['n1 all older-than-node'],
    ],
    [
      'a time zone in the time is understood (C76)',
      [node('n1', FULL)],
      [usage('n1', { cpu: '1', memory: '4Gi' }, '2027-01-15T16:00:00+08:00')],
      { n1: { CPU: 25, Memory: 50 } },
      [],
    ],
    [
      'a node listed twice has its newer sample',
      [node('n1', FULL)],
      [
        usage('n1', { cpu: '1', memory: '4Gi' }, '2027-01-15T07:59:50Z'),
        usage('n1', { cpu: '2', memory: '4Gi' }, '2027-01-15T07:59:20Z'),
      ],
      { n1: { CPU: 25, Memory: 50 } },
      ['n1 all duplicate-series'],
    ],
  ];
  for (const [sentence, nodes, items, percent, absent] of rows) {
    it(sentence, () => {
      expect(decode(nodes, items)).to.deep.equal({ percent, absent });
    });
  }

  it('never throws and never gives a figure that is not a finite percentage', () => {
    const quantity = fc.oneof(
      fc.constantFrom('0', '1', '4', '100m', '1e30', 'x', '', '-1', '8Gi'),
      fc.double(),
      fc.constant(null),
    );
    const amounts = fc.dictionary(fc.constantFrom('cpu', 'memory'), quantity);
    fc.assert(
      fc.property(amounts, amounts, fc.oneof(fc.string(), fc.constant(undefined)), (capacity, used, time) => {
        const { percent } = decode([node('n1', capacity)], [usage('n1', used, time)]);
        for (const value of Object.values((percent.n1 ?? {}) as Record<string, number>)) {
          expect(value).to.be.at.least(0).and.at.most(1000);
        }
      }),
    );
  });
});
