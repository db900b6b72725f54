import type { WatcherClient } from '@catamaran/load-watcher/client';
import type { WatcherDocument } from '@catamaran/model';
import { expect } from 'chai';

export interface WatcherClientHarness {
  readonly client: WatcherClient;
  /** What the watcher serves from now on; undefined: it has no data. */
  serve(document: WatcherDocument | undefined): Promise<void>;
  /** The watcher is gone from now on. */
  breakDown(): Promise<void>;
  /** Moves the client's clock. */
  advance(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** A document of the 15m window that says this of the nodes' CPU, in percent. */
export function documentWithCpu(
  percent: Readonly<Record<string, number>>,
  endUnixSeconds = 1_800_000_000,
): WatcherDocument {
  const name = 'instance:node_cpu:ratio';
  return {
    timestampUnixSeconds: endUnixSeconds + 1,
    window: { duration: '15m', startUnixSeconds: endUnixSeconds - 900, endUnixSeconds },
    source: 'Prometheus',
    nodes: new Map(
      Object.entries(percent).map(([node, value]) => [
        node,
        [{ name, type: 'CPU', operator: 'AVG', rollup: '15m', value }],
      ]),
    ),
  };
}

/** What every WatcherClient does, wherever the watcher runs. */
export function describeWatcherClient(name: string, create: () => Promise<WatcherClientHarness>): void {
  describe(`${name} as a WatcherClient`, () => {
    const { signal } = new AbortController();
    let harness: WatcherClientHarness;
    beforeEach(async () => {
      harness = await create();
    });
    afterEach(() => harness.close());

    const cpu = (): unknown => harness.client.current().document?.nodes.get('n1')?.[0]?.value;

    it('knows nothing before the first refresh', () => {
      expect(harness.client.current()).to.deep.equal({
        document: undefined,
        receivedAtMs: undefined,
        lastFailure: undefined,
      });
    });

    it('gives the document and when it came', async () => {
      await harness.serve(documentWithCpu({ n1: 42.17 }));
      const state = await harness.client.refresh(signal);
      expect(state).to.equal(harness.client.current());
      expect(cpu()).to.equal(42.17);
      expect(state.receivedAtMs).to.be.a('number');
      expect(state.lastFailure).to.equal(undefined);
    });

    it('follows the watcher', async () => {
      await harness.serve(documentWithCpu({ n1: 10 }));
      const before = await harness.client.refresh(signal);
      await harness.serve(documentWithCpu({ n1: 20 }, 1_800_000_060));
      await harness.advance(60_000);
      const after = await harness.client.refresh(signal);
      expect(cpu()).to.equal(20);
      expect(Number(after.receivedAtMs) - Number(before.receivedAtMs)).to.equal(60_000);
    });

    it('says no-data while the watcher has none', async () => {
      await harness.serve(undefined);
      const { document, lastFailure } = await harness.client.refresh(signal);
      expect([document, lastFailure?.code]).to.deep.equal([undefined, 'no-data']);
      expect(lastFailure?.message).to.match(/\w{3}/);
    });

    it('keeps the last good document, and when it came, when the watcher breaks down', async () => {
      await harness.serve(documentWithCpu({ n1: 10 }));
      const good = await harness.client.refresh(signal);
      await harness.breakDown();
      await harness.advance(60_000);
      const state = await harness.client.refresh(signal);
      expect([cpu(), state.receivedAtMs]).to.deep.equal([10, good.receivedAtMs]);
      expect(state.lastFailure?.message).to.match(/\w{3}/);
    });

    it('recovers', async () => {
      await harness.serve(undefined);
      await harness.client.refresh(signal);
      await harness.serve(documentWithCpu({ n1: 30 }));
      await harness.advance(60_000);
      expect((await harness.client.refresh(signal)).lastFailure).to.equal(undefined);
      expect(cpu()).to.equal(30);
    });

    it('concurrent refreshes agree', async () => {
      await harness.serve(documentWithCpu({ n1: 5 }));
      const states = await Promise.all([harness.client.refresh(signal), harness.client.refresh(signal)]);
      expect(states[0]).to.deep.equal(states[1]);
    });

    it('rejects with the reason of an aborted signal', async () => {
      const reason = new Error('enough');
      const error = await harness.client
        .refresh(AbortSignal.abort(reason))
        .catch((caught: unknown) => caught);
      expect(error).to.equal(reason);
    });

    it('closes twice without harm, and refreshes no more', async () => {
      await harness.client.close();
      await harness.client.close();
      expect(await harness.client.refresh(signal).catch((caught: unknown) => caught)).to.be.instanceOf(Error);
    });
  });
}
