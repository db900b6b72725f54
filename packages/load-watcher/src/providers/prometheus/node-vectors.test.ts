import { SystemClock } from '@catamaran/platform';
import { FakePrometheus, type FakeSample, nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { type NodeVectorQuery, NodeVectorReader } from './node-vectors.js';

const { signal } = new AbortController();
const NODES = [
  nodeOf('n1', { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] }),
  nodeOf('n2', { addresses: [{ type: 'InternalIP', address: '10.0.0.2' }] }),
];
const sample = (labels: FakeSample['labels'], value: string): FakeSample => ({ labels, value });

describe('NodeVectorReader', () => {
  let server: FakePrometheus;
  let reader: NodeVectorReader;
  beforeEach(async () => {
    server = await FakePrometheus.start();
    reader = new NodeVectorReader({ baseUrl: server.url }, { clock: new SystemClock(), random: () => 0 });
  });
  afterEach(async () => {
    await reader.close();
    await server.close();
  });

  const read = (...queries: readonly NodeVectorQuery[]) => reader.read({ queries, nodes: NODES }, signal);

  it('names the node of each series by address, name or the label that is asked first', async () => {
    server.reply = ({ promql }) =>
      promql === 'a'
        ? [sample({ instance: '10.0.0.2:9100' }, '7'), sample({ node: 'n1' }, 'NaN')]
        : [sample({ Hostname: 'n2', instance: '10.0.0.1:9400', gpu: '0' }, '50')];
    const [a, b] = await read({ promql: 'a' }, { promql: 'b', nodeLabel: 'Hostname' });
    expect(a?.ok && a.value.samples).to.deep.equal([
      { node: 'n2', value: 7 },
      { node: 'n1', value: Number.NaN },
    ]);
    expect(b?.ok && b.value.samples).to.deep.equal([{ node: 'n2', value: 50 }]);
    expect(server.requests).to.have.length(2);
  });

  it('a failed query costs its own answer only, with the reason', async () => {
    server.reply = ({ promql }) =>
      promql === 'bad('
        ? {
            status: 400,
            body: '{"status":"error","error":"1:4: parse error: unclosed left parenthesis"}',
            contentType: 'application/json',
          }
        : [sample({ node: 'n1' }, '1')];
    const [bad, good] = await read({ promql: 'bad(' }, { promql: 'good' });
    expect(bad?.ok === false && bad.problem).to.contain('1:4: parse error: unclosed left parenthesis');
    expect(good?.ok && good.value.samples).to.deep.equal([{ node: 'n1', value: 1 }]);
  });

  it('asks info metrics for series that nothing else explains, once for all queries, and remembers', async () => {
    server.reply = ({ promql }) => {
      if (promql.includes('kube_pod_info')) {
        return promql.includes('(a) or (b)') ? [sample({ namespace: 'm', pod: 'x', node: 'n1' }, '1')] : [];
      }
      return promql === 'a' || promql === 'b'
        ? [sample({ namespace: 'm', pod: 'x', instance: '9.9.9.9:1' }, '3')]
        : [];
    };
    const [a, b] = await read({ promql: 'a' }, { promql: 'b' });
    expect([a, b].map((answer) => answer?.ok && answer.value.samples)).to.deep.equal([
      [{ node: 'n1', value: 3 }],
      [{ node: 'n1', value: 3 }],
    ]);
    const asked = server.requests.length;
    await read({ promql: 'a' }, { promql: 'b' });
    expect(server.requests.length - asked).to.equal(2);
  });

  it('tells which series belong to no node', async () => {
    server.reply = ({ promql }) => (promql === 'a' ? [sample({ instance: 'elsewhere:9100' }, '1')] : []);
    const [a] = await read({ promql: 'a' });
    expect(a?.ok && a.value.samples).to.deep.equal([]);
    expect(a?.ok && a.value.unmatched.map(({ reason }) => reason)).to.deep.equal(['unmatched-instance']);
  });
});
