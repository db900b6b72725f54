import { silentLogger, VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import { runAtOnce } from '../event-loop.js';
import type { MetricsProvider } from '../providers/metrics-provider.js';
import { LoadWatcher } from '../service/load-watcher.js';
import { debugNodes } from './debug-nodes.js';

describe('debugNodes', () => {
  it('says why ages are unknown where the source does not tell when it measured', async () => {
    const figures = { metrics: [], sampleUnixMs: undefined, sources: [] };
    const provider: MetricsProvider = {
      source: 'Prometheus',
      fetch: async () => ({
        windows: [
          {
            duration: '5m',
            startUnixSeconds: 0,
            endUnixSeconds: 300,
            complete: true,
            nodes: new Map([['n1', figures]]),
          },
        ],
        absences: [],
        failures: [],
      }),
      health: async () => ({ healthy: true, reason: '' }),
      close: async () => undefined,
    };
    const clock = new VirtualClock(300_000);
    const watcher = new LoadWatcher(
      { refreshIntervalMs: 60_000, maxAgeMs: 0 },
      { provider, clock, log: silentLogger },
    );
    watcher.start();
    await watcher.settled();
    expect(JSON.parse(runAtOnce(debugNodes(watcher, clock.nowMs()))))
      .to.have.property('sampleAgeNote')
      .that.is.a('string');
    await watcher.close();
  });
});
