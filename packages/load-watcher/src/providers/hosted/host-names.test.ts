import { nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import { NodeIndex } from '../../core/mapping/node-index.js';
import { type KnownHost, type NamedHosts, nameHosts } from './host-names.js';

const DC1 = 'worker-1.dc1.example.test';
const DC2 = 'worker-1.dc2.example.test';

function hosts(...names: readonly string[]): readonly KnownHost[] {
  return names.map((host) => ({ host, clusters: new Set() }));
}

function name(known: readonly KnownHost[], nodes: readonly string[] | undefined, suffix = ''): NamedHosts {
  const index = nodes === undefined ? undefined : new NodeIndex(nodes.map((node) => nodeOf(node)));
  return nameHosts(known, { index, suffix, clusterOption: '--signalfx-cluster-name' });
}

function inShort({ nodes, absences }: NamedHosts): object {
  return {
    nodes: Object.fromEntries(nodes),
    absent: absences.map(({ subject, reason }) => `${subject} ${reason}`),
  };
}

describe('nodes of hosts', () => {
  const rows: [
    sentence: string,
    hosts: readonly string[],
    nodes: readonly string[],
    suffix: string,
    expected: { nodes: Record<string, string>; absent: string[] },
  ][] = [
    [
      'a host with a domain is the node of its short name (C21 a)',
      [DC1],
      ['worker-1'],
      '',
      found({ [DC1]: 'worker-1' }),
    ],
    ['a host is the node of its full name (C21 b)', [DC1], [DC1], '', found({ [DC1]: DC1 })],
    [
      'hosts of one short name stay apart where the nodes have full names (C21 c)',
      [DC1, DC2],
      [DC1, DC2],
      '',
      found({ [DC1]: DC1, [DC2]: DC2 }),
    ],
    [
      'two hosts that would be one short name are neither (C21)',
      [DC1, DC2],
      ['worker-1'],
      '',
      found({}, `${DC1} ambiguous-instance`, `${DC2} ambiguous-instance`),
    ],
    [
      'the full name beats the short one',
      ['worker-1', DC2],
      ['worker-1'],
      '',
      found({ 'worker-1': 'worker-1' }, `${DC2} ambiguous-instance`),
    ],
    [
      'the configured suffix is cut off, and beats the short name (C21)',
      [DC1, DC2],
      ['worker-1'],
      '.dc1.example.test',
      found({ [DC1]: 'worker-1' }, `${DC2} ambiguous-instance`),
    ],
    [
      'a suffix without a dot, as Datadog adds the cluster name',
      ['worker-1-blue'],
      ['worker-1'],
      '-blue',
      found({ 'worker-1-blue': 'worker-1' }),
    ],
    ['a short host is the one node of that short name', ['worker-1'], [DC1], '', found({ 'worker-1': DC1 })],
    [
      'a short host is none of two nodes of that short name',
      ['worker-1'],
      [DC1, DC2],
      '',
      found({}, 'worker-1 ambiguous-instance'),
    ],
    [
      'a Windows host in capitals is the node in small letters',
      ['WIN-1'],
      ['win-1'],
      '',
      found({ 'WIN-1': 'win-1' }),
    ],
    [
      'a host that is gone or of another cluster is unmatched',
      ['ghost'],
      ['n1'],
      '',
      found({}, 'ghost unmatched-instance'),
    ],
  ];
  function found(nodes: Record<string, string>, ...absent: string[]) {
    return { nodes, absent };
  }
  for (const [sentence, names, nodes, suffix, expected] of rows) {
    it(sentence, () => {
      expect(inShort(name(hosts(...names), nodes, suffix))).to.deep.equal(expected);
    });
  }

  it('an address of a node is that node', () => {
    const node = nodeOf('n1');
    const index = new NodeIndex([
      { ...node, status: { addresses: [{ type: 'InternalIP', address: '10.0.0.7' }] } },
    ]);
    const named = nameHosts(hosts('10.0.0.7'), { index, suffix: '', clusterOption: '' });
    expect(Object.fromEntries(named.nodes)).to.deep.equal({ '10.0.0.7': 'n1' });
    expect([...(named.rules.get('n1') ?? [])]).to.deep.equal(['address']);
  });

  it('a host of several clusters is none, with the remedy (C22)', () => {
    const named = name([{ host: 'n1', clusters: new Set(['green', 'blue']) }], ['n1']);
    expect(named.nodes.size).to.equal(0);
    expect(named.absences).to.deep.equal([
      {
        subject: 'n1',
        metric: 'all',
        reason: 'ambiguous-instance',
        detail:
          'the host is reported for several clusters (blue, green): say which is this one with --signalfx-cluster-name',
      },
    ]);
  });

  const unverified: [
    sentence: string,
    hosts: readonly string[],
    suffix: string,
    nodes: Record<string, string>,
  ][] = [
    [
      'without the list of nodes a name ends at the first dot, as in the Go service',
      [DC1],
      '',
      { [DC1]: 'worker-1' },
    ],
    ['where two would become one both keep their names (C21 c)', [DC1, DC2], '', { [DC1]: DC1, [DC2]: DC2 }],
    ['a suffix is cut off, and only that', ['a.b.c.test'], '.test', { 'a.b.c.test': 'a.b.c' }],
    [
      'an address is left as it is',
      ['10.0.0.7', 'fe80::1'],
      '',
      { '10.0.0.7': '10.0.0.7', 'fe80::1': 'fe80::1' },
    ],
  ];
  for (const [sentence, names, suffix, nodes] of unverified) {
    it(sentence, () => {
      expect(inShort(name(hosts(...names), undefined, suffix))).to.deep.equal({ nodes, absent: [] });
    });
  }

  it('whatever the hosts: no node twice, only nodes of the cluster, each host named or told', () => {
    const label = fc.stringMatching(/^[a-c]{1,2}$/);
    const hostName = fc.array(label, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
    const set = fc.uniqueArray(hostName, { maxLength: 8 });
    fc.assert(
      fc.property(set, set, fc.constantFrom('', '.a', '.b.c'), (names, nodes, suffix) => {
        const named = name(hosts(...names), nodes, suffix);
        const values = [...named.nodes.values()];
        expect(new Set(values).size).to.equal(values.length);
        for (const node of values) expect(nodes).to.include(node);
        const told = new Set([...named.nodes.keys(), ...named.absences.map(({ subject }) => subject)]);
        expect([...told].sort()).to.deep.equal([...names].sort());
        const mirrored = name(hosts(...[...names].reverse()), nodes, suffix);
        expect(Object.fromEntries(mirrored.nodes)).to.deep.equal(Object.fromEntries(named.nodes));
      }),
    );
  });
});
