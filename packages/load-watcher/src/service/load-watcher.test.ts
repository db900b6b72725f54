import { type Clock, type LogFields, type Logger, MetricsRegistry, VirtualClock } from '@catamaran/platform';
import { InMemoryMetricsProvider } from '@catamaran/testkit';
import { expect } from 'chai';
import type { ProviderFetch } from '../core/figures/figures.js';
import { LoadWatcher } from './load-watcher.js';
import type { LoadWatcherOptions } from './load-watcher-options.js';

const START_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;

class RecordingLogger implements Logger {
  readonly lines: string[] = [];
  readonly #add = (level: string) => (message: string, fields?: LogFields) =>
    void this.lines.push(`${level} ${message} ${typeof fields?.what === 'string' ? fields.what : ''}`.trim());
  debug = this.#add('debug');
  info = this.#add('info');
  warn = this.#add('warn');
  error = this.#add('error');
  with = (): Logger => this;
}

describe('LoadWatcher', () => {
  let clock: VirtualClock;
  let provider: InMemoryMetricsProvider;
  let log: RecordingLogger;
  let metrics: MetricsRegistry;
  let watcher: LoadWatcher;
  const create = (options: Partial<LoadWatcherOptions> = {}, random?: () => number): LoadWatcher => {
    watcher = new LoadWatcher(
      { refreshIntervalMs: MINUTE_MS, maxAgeMs: 5 * MINUTE_MS, ...options },
      { provider, clock, log, metrics, ...(random === undefined ? {} : { random }) },
    );
    return watcher;
  };
  beforeEach(() => {
    clock = new VirtualClock(START_MS);
    provider = new InMemoryMetricsProvider();
    provider.usage = { n1: { cpu: 10, memory: 20 } };
    log = new RecordingLogger();
    metrics = new MetricsRegistry();
    create();
  });
  afterEach(() => watcher.close());

  const advance = (ms: number): Promise<void> => clock.advanceBy(ms, () => watcher.settled());
  const servedCpu = (): unknown => watcher.serve()?.figures.nodes.get('n1')?.metrics[0]?.value;

  it('serves nothing before its first refresh has ended, and says so', () => {
    expect(watcher.serve()).to.equal(undefined);
    expect(watcher.unservable()).to.equal('no data yet: the first refresh has not ended');
  });

  it('refreshes at once and then at a fixed rate, once each (D14, D31)', async () => {
    watcher.start();
    watcher.start();
    await watcher.settled();
    expect([provider.fetches, servedCpu()]).to.deep.equal([1, 10]);
    provider.usage = { n1: { cpu: 30 } };
    await advance(59_999);
    expect(servedCpu()).to.equal(10);
    await advance(1);
    expect([provider.fetches, servedCpu()]).to.deep.equal([2, 30]);
    await advance(10 * MINUTE_MS);
    expect(provider.fetches).to.equal(12);
  });

  it('a fetch that outlasts the interval is not overtaken, and what is there stays served (C79)', async () => {
    watcher.start();
    await watcher.settled();
    let release = (): void => undefined;
    provider.delay = new Promise((resolve) => {
      release = resolve;
    });
    await clock.advanceBy(MINUTE_MS);
    await clock.advanceBy(75_000);
    expect([provider.fetches, servedCpu()]).to.deep.equal([2, 10]);
    provider.delay = undefined;
    release();
    await watcher.settled();
    await advance(MINUTE_MS);
    expect(provider.fetches).to.equal(3);
  });

  it('an error leaves the last good figures with their old time, until they are too old (D2)', async () => {
    watcher.start();
    await watcher.settled();
    provider.failure = new Error('HTTP 503');
    await advance(5 * MINUTE_MS);
    expect([servedCpu(), watcher.serve()?.encoded.document.timestampUnixSeconds]).to.deep.equal([
      10,
      START_MS / 1000,
    ]);
    await advance(1_000);
    expect(watcher.serve()).to.equal(undefined);
    expect(watcher.unservable()).to.equal('the newest figures are 301 s old, the limit is 300 s: HTTP 503');
    provider.failure = undefined;
    await advance(MINUTE_MS);
    expect(servedCpu()).to.equal(10);
  });

  for (const [what, stepMs] of [
    ['back', -10 * MINUTE_MS],
    ['forth', 10 * MINUTE_MS],
  ] as const) {
    it(`a clock that is set ${what} stops no refresh, and no old figures stay`, async () => {
      let steppedMs = 0;
      const machine: Clock = {
        nowMs: () => clock.nowMs() + steppedMs,
        schedule: (delayMs, callback) => clock.schedule(delayMs, callback),
        sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
      };
      const options = { refreshIntervalMs: MINUTE_MS, maxAgeMs: 5 * MINUTE_MS, jitterRatio: 0 };
      watcher = new LoadWatcher(options, { provider, clock: machine, log, stopwatchMs: () => clock.nowMs() });
      watcher.start();
      await watcher.settled();
      await advance(2 * MINUTE_MS);
      steppedMs = stepMs;
      provider.usage = { n1: { cpu: 90 } };
      await advance(MINUTE_MS);
      expect([provider.fetches, servedCpu()]).to.deep.equal([4, 90]);
      steppedMs += stepMs;
      provider.failure = new Error('HTTP 503');
      await advance(5 * MINUTE_MS + 1_000);
      expect([provider.fetches, watcher.serve()]).to.deep.equal([9, undefined]);
    });
  }

  it('never says that the first refresh has not ended when it has', async () => {
    watcher.start();
    await watcher.settled();
    provider.delay = new Promise(() => undefined);
    await clock.advanceBy(6 * MINUTE_MS);
    expect(watcher.unservable()).to.equal(
      'the newest figures are 360 s old, the limit is 300 s: the next refresh has not ended',
    );
  });

  it('says of a source that repeats itself that it brings nothing newer', async () => {
    const fetch = provider.fetch.bind(provider);
    provider.fetch = (_nowMs, ended) => fetch(START_MS, ended);
    watcher.start();
    await watcher.settled();
    await advance(6 * MINUTE_MS);
    const reason =
      'the newest figures are 360 s old, the limit is 300 s: the last refresh brought none that are newer';
    expect([watcher.unservable(), watcher.unready()]).to.deep.equal([reason, reason]);
  });

  it('a caller that changes the document it got changes nothing that is served (C79)', async () => {
    watcher.start();
    await watcher.settled();
    const encoded = watcher.serve()?.encoded;
    (encoded?.document.nodes as Map<string, unknown> | undefined)?.clear();
    expect(encoded?.whole.bytes.toString()).to.contain('"n1"');
    expect(servedCpu()).to.equal(10);
  });

  it('max age 0 serves for ever, as the Go service does', async () => {
    create({ maxAgeMs: 0 }).start();
    await watcher.settled();
    provider.failure = new Error('gone');
    await advance(24 * 60 * MINUTE_MS);
    expect(servedCpu()).to.equal(10);
  });

  it('an empty answer never overwrites good figures (D3), and never counts as data', async () => {
    watcher.start();
    await watcher.settled();
    provider.usage = {};
    await advance(MINUTE_MS);
    expect([servedCpu(), watcher.lastRefresh?.failure]).to.deep.equal([
      10,
      'the provider has no figure of any node',
    ]);
  });

  it('recovers by itself from a start without data (C08)', async () => {
    provider.failure = new Error('the host name does not resolve');
    watcher.start();
    await watcher.settled();
    expect(watcher.unservable()).to.equal('no data yet: the host name does not resolve');
    provider.failure = undefined;
    await advance(MINUTE_MS);
    expect(watcher.unservable()).to.equal(undefined);
  });

  it('serves the window asked for, and by default the longest', async () => {
    watcher.start();
    await watcher.settled();
    expect(watcher.serve()?.figures.duration).to.equal('15m');
    expect(watcher.serve('5m')?.encoded.document.window).to.deep.equal({
      duration: '5m',
      startUnixSeconds: START_MS / 1000 - 300,
      endUnixSeconds: START_MS / 1000,
    });
  });

  it('logs a state when it begins and when it ends, not while it lasts', async () => {
    watcher.start();
    await watcher.settled();
    provider.failure = new Error('HTTP 503');
    await advance(3 * MINUTE_MS);
    provider.failure = undefined;
    await advance(2 * MINUTE_MS);
    expect(log.lines).to.deep.equal([
      'error refresh failed, the last good figures stay until they are too old refresh',
      'info recovered refresh',
    ]);
  });

  it('a state whose text differs each time is one state: ids, ages and durations tell nothing new', async () => {
    const { signal } = new AbortController();
    watcher.start();
    await watcher.settled();
    const lines = async (texts: (number: number) => Partial<ProviderFetch> | Error) => {
      const before = log.lines.length;
      for (let number = 1; number <= 4; number += 1) {
        const next = texts(number);
        provider.failure = next instanceof Error ? next : undefined;
        provider.extra = next instanceof Error ? {} : next;
        await advance(MINUTE_MS);
        await watcher.health(signal);
      }
      return log.lines.slice(before).filter((line) => !line.startsWith('info recovered'));
    };
    expect(
      await lines((number) => ({
        failures: [`CPU AVG 15m: HTTP 500, body begins "id ${number}"; query: x`],
      })),
    ).to.deep.equal(['warn part of the refresh failed provider answers']);
    expect(
      await lines((number) => ({
        warnings: [`warning: exceeded after ${number} ms`],
        notes: ['CPU is read from a'],
      })),
    ).to.deep.equal(['warn the source warns provider warnings', 'info provider notes provider notes']);
    expect(
      await lines((number) => ({ warnings: [number < 3 ? 'warning: a is down' : 'warning: b is down'] })),
    ).to.deep.equal(['warn the source warns provider warnings', 'warn the source warns provider warnings']);
    expect(
      await lines((number) => new Error(`HTTP 502, text/html, body begins "<p>${number}": no answer`)),
    ).to.deep.equal([
      'error refresh failed, the last good figures stay until they are too old refresh',
      'warn unhealthy health',
    ]);
  });

  it('a failure of another kind is another state', async () => {
    watcher.start();
    for (const failure of ['w: HTTP 500 a', 'w: HTTP 500 b', 'w: HTTP 503 c', 'w: refused (ECONNREFUSED)']) {
      provider.failure = new Error(failure);
      await advance(MINUTE_MS);
    }
    expect(log.lines.filter((line) => line.endsWith(' refresh'))).to.have.length(3);
  });

  it('names each reason for absent figures once while it is the same (C02)', async () => {
    const absence = { subject: 'n3', metric: 'all', reason: 'no-sample', detail: '' } as const;
    provider.extra = { absences: [absence] };
    watcher.start();
    await advance(3 * MINUTE_MS);
    expect(log.lines).to.deep.equal(['warn figures are absent figures: no-sample']);
    provider.extra = { absences: [absence, { ...absence, subject: 'n4' }] };
    await advance(2 * MINUTE_MS);
    provider.extra = {};
    await advance(2 * MINUTE_MS);
    expect(log.lines.slice(1)).to.deep.equal([
      'warn figures are absent figures: no-sample',
      'info recovered figures: no-sample',
    ]);
  });

  it('is unhealthy while its provider is, and when all it has is too old (C77)', async () => {
    const { signal } = new AbortController();
    watcher.start();
    await watcher.settled();
    expect((await watcher.health(signal)).healthy).to.equal(true);
    provider.usage = {};
    await advance(6 * MINUTE_MS);
    const health = await watcher.health(signal);
    expect([health.healthy, health.reason]).to.deep.equal([
      false,
      'the newest figures are 360 s old, the limit is 300 s: the provider has no figure of any node',
    ]);
  });

  it('moves refreshes by the jitter without losing the beat', async () => {
    create({ jitterRatio: 0.5 }, () => 0.5).start();
    await watcher.settled();
    await advance(74_999);
    expect(provider.fetches).to.equal(1);
    await advance(1);
    expect(provider.fetches).to.equal(2);
    await advance(MINUTE_MS);
    expect(provider.fetches).to.equal(3);
  });

  it('counts refreshes and absent figures by closed sets of labels', async () => {
    provider.extra = {
      absences: [{ subject: 'n2', metric: 'CPU', reason: 'negative', detail: '' }],
      failures: ['x'],
    };
    watcher.start();
    await watcher.settled();
    provider.failure = new Error('x');
    await advance(MINUTE_MS);
    const { body } = await metrics.render();
    for (const line of [
      'load_watcher_refreshes_total{outcome="partial"} 1',
      'load_watcher_refreshes_total{outcome="failed"} 1',
      'load_watcher_absent_figures{reason="negative"} 1',
      'load_watcher_absent_figures{reason="non-finite"} 0',
      'load_watcher_nodes 1',
      `load_watcher_data_timestamp_seconds ${START_MS / 1000}`,
    ]) {
      expect(body).to.contain(`${line}\n`);
    }
  });

  it('two watchers in one process share nothing (C80, D18)', async () => {
    const other = new LoadWatcher(
      { refreshIntervalMs: MINUTE_MS, maxAgeMs: 0 },
      { provider: new InMemoryMetricsProvider(), clock, log, metrics },
    );
    watcher.start();
    other.start();
    await Promise.all([watcher.settled(), other.settled()]);
    expect([watcher.serve() === undefined, other.serve() === undefined]).to.deep.equal([false, true]);
    await other.close();
  });

  it('closing ends a fetch under way and closes the provider; nothing runs on', async () => {
    provider.delay = new Promise(() => undefined);
    watcher.start();
    await watcher.close();
    await clock.advanceBy(10 * MINUTE_MS);
    expect([provider.fetches, provider.closed]).to.deep.equal([1, true]);
  });
});
