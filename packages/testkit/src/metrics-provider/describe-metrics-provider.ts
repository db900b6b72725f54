import type { MetricsProvider, NodeFigures, ProviderFetch } from '@catamaran/load-watcher';
import { expect } from 'chai';
import type { Utilisation } from './in-memory-metrics-provider.js';

/** What the source of a provider knows. */
export interface SourceWorld {
  /** Nodes of the cluster. */
  readonly nodes: readonly string[];
  /** By the name under which the source knows a node. */
  readonly usage: Readonly<Record<string, Utilisation>>;
  /** `refuses`: every call fails. `hangs`: no call is ever answered. */
  readonly outage?: 'refuses' | 'hangs';
}

export interface MetricsProviderHarness {
  /** Gives up a call that is not answered within half a second. */
  readonly provider: MetricsProvider;
  show(world: SourceWorld): void;
  close(): Promise<void>;
}

const NOW_MS = 1_800_000_000_000;

/** What every MetricsProvider does, whatever it reads from. */
export function describeMetricsProvider(name: string, create: () => Promise<MetricsProviderHarness>): void {
  describe(`${name} as a MetricsProvider`, () => {
    let harness: MetricsProviderHarness;
    beforeEach(async () => {
      harness = await create();
    });
    afterEach(() => harness.close());

    const fetch = (world: SourceWorld, signal = new AbortController().signal): Promise<ProviderFetch> => {
      harness.show(world);
      return harness.provider.fetch(NOW_MS, signal);
    };

    it('publishes CPU and memory of each node in percent, once, under its name', async () => {
      const fetched = await fetch({
        nodes: ['n1', 'n2'],
        usage: { n1: { cpu: 25, memory: 12.5 }, n2: { cpu: 104, memory: 0 } },
      });
      expect(figures(fetched)).to.deep.equal({ n1: ['CPU 25', 'Memory 12.5'], n2: ['CPU 104', 'Memory 0'] });
    });

    it('gives the windows 15m, 10m and 5m, which end at the start of the fetch', async () => {
      const { windows } = await fetch({ nodes: ['n1'], usage: { n1: { cpu: 1, memory: 1 } } });
      expect(
        windows.map(({ duration, startUnixSeconds, endUnixSeconds }) => [
          duration,
          startUnixSeconds,
          endUnixSeconds,
        ]),
      ).to.deep.equal([
        ['15m', 1_799_999_100, 1_800_000_000],
        ['10m', 1_799_999_400, 1_800_000_000],
        ['5m', 1_799_999_700, 1_800_000_000],
      ]);
      expect(windows.every(({ complete }) => complete)).to.equal(true);
    });

    it('an idle node is a node at 0, not a missing one', async () => {
      const fetched = await fetch({ nodes: ['n1'], usage: { n1: { cpu: 0, memory: 0 } } });
      expect(figures(fetched)).to.deep.equal({ n1: ['CPU 0', 'Memory 0'] });
    });

    it('a node without one resource has the other, and no figure made up', async () => {
      const fetched = await fetch({
        nodes: ['n1', 'n2'],
        usage: { n1: { memory: 37.5 }, n2: { cpu: 1, memory: 6.25 } },
      });
      expect(figures(fetched)).to.deep.equal({ n1: ['Memory 37.5'], n2: ['CPU 1', 'Memory 6.25'] });
    });

    it('a node without a sample is absent', async () => {
      const fetched = await fetch({ nodes: ['n1', 'n2'], usage: { n1: { cpu: 1, memory: 2 } } });
      expect(Object.keys(figures(fetched))).to.deep.equal(['n1']);
    });

    it('nothing measured is an answer without nodes', async () => {
      const fetched = await fetch({ nodes: ['n1'], usage: {} });
      expect(figures(fetched)).to.deep.equal({});
    });

    it('gives the same answer again', async () => {
      const world = { nodes: ['n1'], usage: { n1: { cpu: 25, memory: 50 } } };
      expect(figures(await fetch(world))).to.deep.equal(figures(await fetch(world)));
    });

    it('is healthy when its source answered, and unhealthy with a reason when it does not', async () => {
      const { signal } = new AbortController();
      await fetch({ nodes: ['n1'], usage: { n1: { cpu: 1, memory: 1 } } });
      expect(await harness.provider.health(signal)).to.deep.equal({ healthy: true, reason: '' });
      const outage = { nodes: ['n1'], usage: {}, outage: 'refuses' } as const;
      await fetch(outage).catch(() => undefined);
      const health = await harness.provider.health(signal);
      expect(health.healthy).to.equal(false);
      expect(health.reason).to.not.equal('');
    });

    for (const outage of ['refuses', 'hangs'] as const) {
      it(`a source that ${outage} gives an error with a reason, in time`, async () => {
        const error = await fetch({ nodes: ['n1'], usage: {}, outage }).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(error).to.be.instanceOf(Error);
        expect((error as Error).name).to.equal('ProviderError');
        expect((error as Error).message).to.match(/\w{3}/);
      });
    }

    it('rejects with the reason of the signal that stops it', async () => {
      const stop = new AbortController();
      const reason = new Error('enough');
      const fetching = fetch({ nodes: ['n1'], usage: {}, outage: 'hangs' }, stop.signal);
      stop.abort(reason);
      expect(await fetching.catch((error: unknown) => error)).to.equal(reason);
    });

    it('closes twice without harm', async () => {
      await harness.provider.close();
      await harness.provider.close();
    });
  });
}

/** `{node: ['CPU 25', 'Memory 12.5']}` of the longest window. */
function figures(fetched: ProviderFetch): Record<string, string[]> {
  const window = fetched.windows.find(({ duration }) => duration === '15m');
  return Object.fromEntries([...(window?.nodes ?? [])].map(([node, entry]) => [node, inShort(entry)]));
}

function inShort({ metrics }: NodeFigures): string[] {
  return metrics.map(({ type, value }) => `${type} ${value}`);
}
