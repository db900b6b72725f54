import { gunzipSync } from 'node:zlib';
import { encodeWatcherDocument, type Metric } from '@catamaran/model';
import { expect } from 'chai';
import { EncodedWindow } from './encoded-window.js';

const FRAME = {
  timestampUnixSeconds: 1_800_000_000,
  window: { duration: '15m', startUnixSeconds: 1_799_999_100, endUnixSeconds: 1_800_000_000 },
  source: 'Prometheus',
} as const;

function windowOf(nodeCount: number): EncodedWindow {
  const metrics = (value: number): readonly Metric[] => [
    { name: 'ü', type: 'CPU', operator: 'AVG', rollup: '15m', value },
  ];
  const names = Array.from({ length: nodeCount }, (_, index) => `n${(index * 7) % nodeCount}`);
  return new EncodedWindow({
    frame: FRAME,
    nodes: new Map(names.map((name, index) => [name, { metrics: metrics(index) }])),
  });
}

describe('EncodedWindow', () => {
  for (const count of [0, 1, 199, 200, 201, 400, 1001]) {
    it(`${count} nodes: the bytes of the model's encoder, sorted by name, in slices or at once`, async () => {
      const window = windowOf(count);
      const text = encodeWatcherDocument(window.document);
      expect([...window.document.nodes.keys()]).to.deep.equal([...window.document.nodes.keys()].sort());
      expect((await window.prepare()).bytes.toString()).to.equal(text);
      expect(windowOf(count).whole.bytes.toString()).to.equal(text);
    });
  }

  it('cuts the document of one host out of the whole', () => {
    const window = windowOf(401);
    const { document } = window;
    for (const name of ['n0', 'n199', 'n400']) {
      const own = new Map([[name, document.nodes.get(name) ?? []]]);
      const text = encodeWatcherDocument({ ...document, nodes: own });
      expect(window.host(name)?.bytes.toString()).to.equal(text);
    }
    expect(window.host('n401')).to.equal(undefined);
  });

  it('compresses what is worth it, under a tag of its own', async () => {
    const window = windowOf(100);
    const packed = await window.ask('gzip');
    expect(gunzipSync(packed.bytes).equals(window.whole.bytes)).to.equal(true);
    expect(packed.etag).to.equal(window.whole.etag.replace(/"$/, '-gzip"'));
    const small = windowOf(1);
    expect(await small.ask('gzip')).to.equal(small.whole);
  });

  const habits: [sentence: string, ask: (window: EncodedWindow) => unknown, ahead: object][] = [
    ['nothing for nobody', () => undefined, { isReady: false, isPacked: false }],
    ['nothing for who reads the document', ({ document }) => document, { isReady: false, isPacked: false }],
    ['the whole', (window) => window.ask('identity'), { isReady: true, isPacked: false }],
    ['the whole for one host', (window) => window.host('n1'), { isReady: true, isPacked: false }],
    ['both forms', (window) => window.ask('gzip'), { isReady: true, isPacked: true }],
  ];
  for (const [sentence, ask, ahead] of habits) {
    it(`the next window makes ahead what this one was asked for: ${sentence}`, async () => {
      const [first, second, third] = [windowOf(100), windowOf(100), windowOf(100)];
      await ask(first);
      await second.prepareLike(first);
      expect({ isReady: second.isReady, isPacked: second.gzipReady !== undefined }).to.deep.equal(ahead);
      await third.prepareLike(second);
      expect(third.isReady).to.equal(false);
    });
  }
});
