import type { WatcherClient } from '@catamaran/load-watcher/client';
import { type Clock, silentLogger, VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import { Activity } from './activity.js';
import { LoadFeed } from './load-feed.js';

describe('LoadFeed', () => {
  for (const [what, stepMs, delayMs] of [
    ['back', -600_000, 30_000],
    ['forth', 600_000, 0],
  ] as const) {
    it(`a clock that is set ${what} during a fetch does not put off the next one`, async () => {
      const clock = new VirtualClock(0);
      let steppedMs = 0;
      let fetches = 0;
      const machine: Clock = {
        nowMs: () => clock.nowMs() + steppedMs,
        schedule: (ms, callback) => clock.schedule(ms, callback),
        sleep: (ms, signal) => clock.sleep(ms, signal),
      };
      const client: WatcherClient = {
        current: () => ({ document: undefined, receivedAtMs: undefined, lastFailure: undefined }),
        refresh: async () => {
          fetches += 1;
          if (fetches === 1) steppedMs = stepMs;
          return client.current();
        },
        close: async () => undefined,
      };
      const feed = new LoadFeed(30_000, {
        client,
        clock: machine,
        activity: new Activity(),
        log: silentLogger,
        onDocument: () => undefined,
        onFetched: () => undefined,
      });
      await feed.start();
      await clock.advanceBy(delayMs);
      expect(fetches).to.equal(2);
      feed.close();
    });
  }
});
