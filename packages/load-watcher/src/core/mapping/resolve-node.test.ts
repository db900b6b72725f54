import type { Node } from '@catamaran/model';
import { expect } from 'chai';
import fc from 'fast-check';
import { hostOfInstance, NodeIndex } from './node-index.js';
import { type InfoTables, type Labels, NO_INFO, resolveNode } from './resolve-node.js';

function node(name: string, addresses: readonly string[] = [], hostname?: string): Node {
  return {
    metadata: { name, ...(hostname === undefined ? {} : { labels: { 'kubernetes.io/hostname': hostname } }) },
    status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
  };
}

function info(tables: Partial<Record<keyof InfoTables, Record<string, string[]>>>): InfoTables {
  const table = (entries: Record<string, string[]> = {}) =>
    new Map(Object.entries(entries).map(([key, names]) => [key, new Set(names)]));
  return {
    nodesByPod: table(tables.nodesByPod),
    nodesByIp: table(tables.nodesByIp),
    hostnamesByInstance: table(tables.hostnamesByInstance),
  };
}

interface Row {
  readonly sentence: string;
  readonly labels: Labels;
  readonly nodes: readonly Node[] | undefined;
  readonly info?: InfoTables;
  readonly configuredLabel?: string;
  /** Node and rule, or the reason why there is none. */
  readonly result: string;
}

const AWS = 'ip-10-20-1-7.eu-west-1.compute.internal';

describe('resolveNode', () => {
  const rows: Row[] = [
    {
      sentence: 'kube-prometheus: instance is the name of the node',
      labels: { instance: 'n1' },
      nodes: [node('n1')],
      result: 'n1 by instance',
    },
    {
      sentence: 'instance with a port is the name',
      labels: { instance: 'node-f:9100' },
      nodes: [node('node-f')],
      result: 'node-f by instance',
    },
    {
      sentence: 'EKS (C11): instance is an address, the node has a DNS name',
      labels: { instance: '10.20.1.7:9100' },
      nodes: [node(AWS, ['10.20.1.7'])],
      result: `${AWS} by address`,
    },
    {
      sentence: 'IPv6 in brackets is an address',
      labels: { instance: '[fd00::7]:9100' },
      nodes: [node('n6', ['fd00::7'])],
      result: 'n6 by address',
    },
    ...['2001:db8::1', '2001:DB8::1', '2001:0db8:0:0::1', '2001:db8:0:0:0:0:0:1', '2001:db8:0::0:1'].map(
      (spelling): Row => ({
        sentence: `IPv6 spelt ${spelling} is the same address`,
        labels: { instance: `[${spelling}]:9100` },
        nodes: [node('n6', ['2001:DB8:0::1']), node('n7', ['2001:db8::1:1'])],
        result: 'n6 by address',
      }),
    ),
    ...['2001:db8:::1', '2001:db8::1::', '12345::1', ':', '2001:db8:1'].map(
      (text): Row => ({
        sentence: `${text} is no address of a node`,
        labels: { instance: `[${text}]:9100` },
        nodes: [node('n6', ['2001:db8::1'])],
        result: 'unmatched-instance',
      }),
    ),
    {
      sentence: 'a bare IPv6 address has no port',
      labels: { instance: 'fd00::9100' },
      nodes: [node('n6', ['fd00::9100'])],
      result: 'n6 by address',
    },
    {
      sentence: 'label node comes before instance (C13)',
      labels: { instance: '10.0.0.11:9100', node: 'n1' },
      nodes: [node('n1'), node('n2', ['10.0.0.11'])],
      result: 'n1 by label node',
    },
    {
      sentence: 'label kubernetes_node comes after node',
      labels: { kubernetes_node: 'n2', node: 'n1', instance: 'x' },
      nodes: [node('n1'), node('n2')],
      result: 'n1 by label node',
    },
    {
      sentence: 'a label that names no existing node is passed over',
      labels: { node: 'gone', kubernetes_node: 'n2', instance: 'n1' },
      nodes: [node('n1'), node('n2')],
      result: 'n2 by label kubernetes_node',
    },
    {
      sentence: 'the configured label comes before all others',
      labels: { host: 'n3', node: 'n1' },
      nodes: [node('n1'), node('n3')],
      configuredLabel: 'host',
      result: 'n3 by label host',
    },
    {
      sentence: 'a configured label that names no existing node is passed over',
      labels: { host: 'elsewhere', node: 'n1' },
      nodes: [node('n1')],
      configuredLabel: 'host',
      result: 'n1 by label node',
    },
    {
      sentence: 'an own property of objects is no label',
      labels: { instance: 'n1' },
      nodes: [node('n1')],
      configuredLabel: 'constructor',
      result: 'n1 by instance',
    },
    {
      sentence: 'EKS auto mode (C70): the name is the instance id, nodename does not override it',
      labels: { instance: 'i-0aaaabbbbccccdddd', nodename: 'ip-100-64-0-9.eu-west-1.compute.internal' },
      nodes: [node('i-0aaaabbbbccccdddd'), node('ip-100-64-0-9.eu-west-1.compute.internal')],
      result: 'i-0aaaabbbbccccdddd by instance',
    },
    {
      sentence: 'the hostname label is an address too',
      labels: { instance: 'web-7:9100' },
      nodes: [node('n7', [], 'web-7')],
      result: 'n7 by address',
    },
    {
      sentence: 'two nodes with one address: nobody is credited',
      labels: { instance: '10.0.0.1:9100' },
      nodes: [node('n1', ['10.0.0.1']), node('n2', ['10.0.0.1'])],
      result: 'ambiguous-instance',
    },
    {
      sentence: 'kube-prometheus-stack: namespace and pod lead to the node by kube_pod_info',
      labels: { instance: '172.16.0.4:9100', namespace: 'monitoring', pod: 'ne-x' },
      nodes: [node('n1')],
      info: info({ nodesByPod: { 'monitoring/ne-x': ['n1'] } }),
      result: 'n1 by kube_pod_info',
    },
    {
      sentence: 'kube_pod_info that names a node gone by is passed over',
      labels: { instance: '172.16.0.4:9100', namespace: 'm', pod: 'p' },
      nodes: [node('n1')],
      info: info({ nodesByPod: { 'm/p': ['gone'] }, nodesByIp: { '172.16.0.4': ['n1'] } }),
      result: 'n1 by kube_node_info',
    },
    {
      sentence: 'two nodes by kube_pod_info are ambiguous',
      labels: { instance: 'x', namespace: 'm', pod: 'p' },
      nodes: [node('n1'), node('n2')],
      info: info({ nodesByPod: { 'm/p': ['n1', 'n2'] } }),
      result: 'ambiguous-instance',
    },
    {
      sentence: 'the kernel host name is the hostname label of a node',
      labels: { instance: '172.16.0.4:9100' },
      nodes: [node('n1', [], 'web-7')],
      info: info({ hostnamesByInstance: { '172.16.0.4:9100': ['web-7'] } }),
      result: 'n1 by node_uname_info',
    },
    {
      sentence: 'another domain (C71): the short name is unique',
      labels: { instance: 'ip-10-10-11-100.ec2.internal' },
      nodes: [
        node('ip-10-10-11-100.us-east-2.compute.internal'),
        node('ip-10-10-11-101.us-east-2.compute.internal'),
      ],
      result: 'ip-10-10-11-100.us-east-2.compute.internal by short name',
    },
    {
      sentence: 'another domain (C71): two nodes share the short name',
      labels: { instance: 'ip-10-10-11-100.ec2.internal' },
      nodes: [
        node('ip-10-10-11-100.us-east-2.compute.internal'),
        node('ip-10-10-11-100.eu-west-1.compute.internal'),
      ],
      result: 'ambiguous-instance',
    },
    {
      sentence: 'the first part of an IP address is no short name',
      labels: { instance: '10.1.2.3:9100' },
      nodes: [node('10.0.0.1'), node('10')],
      result: 'unmatched-instance',
    },
    {
      sentence: 'a node removed from the cluster (C18) matches nothing',
      labels: { instance: 'old-1' },
      nodes: [node('n1')],
      result: 'unmatched-instance',
    },
    {
      sentence: 'no label, no node',
      labels: { job: 'x' },
      nodes: [node('n1')],
      result: 'unmatched-instance',
    },
    {
      sentence: 'without cluster access: label node as it is',
      labels: { node: 'a', instance: '10.0.0.1:9100' },
      nodes: undefined,
      result: 'a by label node',
    },
    {
      sentence: 'without cluster access: instance without its port',
      labels: { instance: 'node-f:9100' },
      nodes: undefined,
      result: 'node-f by instance',
    },
    {
      sentence: 'without cluster access: info metrics know the name behind an address',
      labels: { instance: '10.0.0.7:9100' },
      nodes: undefined,
      info: info({ nodesByIp: { '10.0.0.7': ['n7'] } }),
      result: 'n7 by kube_node_info',
    },
    {
      sentence: 'without cluster access: a series without instance belongs to nobody',
      labels: { job: 'x' },
      nodes: undefined,
      result: 'unmatched-instance',
    },
  ];
  for (const { sentence, labels, nodes, result, ...rest } of rows) {
    it(sentence, () => {
      const index = nodes === undefined ? undefined : new NodeIndex(nodes);
      const found = resolveNode(labels, { index, info: NO_INFO, ...rest });
      expect(found.node === undefined ? found.reason : `${found.node} by ${found.rule}`).to.equal(result);
    });
  }

  it('says what was tried for a series without a node', () => {
    const found = resolveNode(
      { instance: '10.9.9.9:9100' },
      { index: new NodeIndex([node('n1')]), info: NO_INFO },
    );
    expect(found.node === undefined && found.detail).to.match(
      /^\{instance="10\.9\.9\.9:9100"\}: no node .*kube_pod_info/,
    );
  });

  it('says of a label that it names a node which is gone', () => {
    const found = resolveNode(
      { node: 'gone', instance: '10.9.9.9:9100' },
      { index: new NodeIndex([node('n1')]), info: NO_INFO },
    );
    expect(found.node === undefined && found.detail).to.match(
      /; node="gone" names a node that is not there, or not any more$/,
    );
  });

  it('does not depend on the order of nodes, names only nodes that exist, and never throws', () => {
    const names = fc.constantFrom('n1', 'n1.a', 'n1.b', 'n2', '10.0.0.1', '__proto__', 'constructor');
    const nodes = fc.uniqueArray(fc.tuple(names, fc.array(names, { maxLength: 2 })), {
      selector: ([name]) => name,
      maxLength: 5,
    });
    const labels = fc.dictionary(
      fc.constantFrom('instance', 'node', 'pod', 'namespace', '__proto__'),
      fc.oneof(
        names,
        fc.string(),
        names.map((name) => `${name}:9100`),
      ),
    );
    fc.assert(
      fc.property(nodes, labels, (entries, given) => {
        const list = entries.map(([name, addresses]) => node(name, addresses));
        const resolve = (order: readonly Node[]) =>
          resolveNode(given, { index: new NodeIndex(order), info: NO_INFO });
        const found = resolve(list);
        expect(resolve([...list].reverse())).to.deep.equal(found);
        if (found.node !== undefined) expect(entries.map(([name]) => name)).to.include(found.node);
      }),
    );
  });
});

describe('hostOfInstance', () => {
  const rows: [instance: string, host: string][] = [
    ['n1', 'n1'],
    ['n1:9100', 'n1'],
    ['10.0.0.7:9100', '10.0.0.7'],
    ['[::1]:9100', '::1'],
    ['[fd00::1]', 'fd00::1'],
    ['fd00::1', 'fd00::1'],
    ['a:b:9100', 'a:b:9100'],
    [':9100', ':9100'],
    ['', ''],
  ];
  for (const [instance, host] of rows) {
    it(`of ${JSON.stringify(instance)} is ${JSON.stringify(host)}`, () => {
      expect(hostOfInstance(instance)).to.equal(host);
    });
  }
});
