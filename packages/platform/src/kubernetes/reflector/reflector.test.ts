import type { Node, Pod } from '@catamaran/model';
import { type Fault, FaultyClusterApi, nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import { VirtualClock } from '../../clock/virtual-clock.js';
import { type Logger, silentLogger } from '../../log/logger.js';
import { ANSWER_TOO_LARGE, type ClusterApi, ClusterApiError } from '../cluster-api.js';
import { InMemoryCluster } from '../in-memory/in-memory-cluster.js';
import { Reflector } from './reflector.js';
import type { ReflectorHandlers, ReflectorOptions } from './reflector-options.js';
import { SharedRecovery } from './shared-recovery.js';

const START_MS = Date.UTC(2026, 10, 30);

interface Scene {
  readonly clock: VirtualClock;
  readonly cluster: InMemoryCluster;
  readonly api: FaultyClusterApi;
  readonly reflector: Reflector<'pods'>;
  /** What the handlers were told: `replace p1,p2 (+p1,p2 -)`, `upsert p1`, `delete p1`. */
  readonly told: string[];
  /** Lines of the log. */
  readonly lines: string[];
  start(): Promise<void>;
}

const open: Scene[] = [];

function scene(
  options: Partial<ReflectorOptions<'pods'>> = {},
  handlers: Partial<ReflectorHandlers<Pod>> = {},
  recovery?: SharedRecovery,
): Scene {
  const clock = new VirtualClock(START_MS);
  const cluster = new InMemoryCluster({}, { clock });
  const api = new FaultyClusterApi(cluster);
  const lines: string[] = [];
  const log: Logger = {
    ...silentLogger,
    info: (message) => lines.push(`info ${message}`),
    warn: (message) => lines.push(`warn ${message}`),
    error: (message) => lines.push(`error ${message}`),
    with: () => log,
  };
  const reflector = new Reflector(
    { kind: 'pods', ...options },
    { api, clock, log, random: () => 0.5, ...(recovery === undefined ? {} : { recovery }) },
  );
  const told: string[] = [];
  const names = (pods: readonly Pod[]): string => pods.map(({ metadata }) => metadata.name).join(',');
  const recording: ReflectorHandlers<Pod> = {
    onReplace: (items, { upserted, deleted }) => {
      told.push(`replace ${names(items)} (+${names(upserted)} -${names(deleted)})`);
    },
    onUpsert: (pod) => told.push(`upsert ${pod.metadata.name}`),
    onDelete: (pod) => told.push(`delete ${pod.metadata.name}`),
    ...handlers,
  };
  const start = async (): Promise<void> => {
    reflector.start(recording);
    await reflector.synced;
    await turn();
  };
  const made = { clock, cluster, api, reflector, told, lines, start };
  open.push(made);
  return made;
}

/** Lets everything that can go on without time go on. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function callsOf({ api }: Scene): string[] {
  return api.calls.map(({ operation, fault }) => (fault === 'none' ? operation : `${operation}:${fault}`));
}

describe('Reflector', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ reflector }) => reflector.close()));
  });

  it('lists in pages, hands the whole over at once, then follows', async () => {
    const s = scene({ pageSize: 2 });
    for (const name of ['p1', 'p2', 'p3']) s.cluster.createPod(podOf(name));
    await s.start();
    s.cluster.createPod(podOf('p4'));
    s.cluster.updatePodStatus('default', 'p1', { phase: 'Running' });
    s.cluster.deletePod('default', 'p2');
    await turn();
    expect(s.told).to.deep.equal(['replace p1,p2,p3 (+p1,p2,p3 -)', 'upsert p4', 'upsert p1', 'delete p2']);
    expect(callsOf(s)).to.deep.equal(['list', 'list', 'watch']);
    expect(s.api.calls[0]?.query).to.deep.equal({ limit: 2 });
    expect([...s.reflector.objects.keys()].sort()).to.deep.equal(['default/p1', 'default/p3', 'default/p4']);
  });

  it('asks for smaller pages where objects are large, and for whole ones again where they are not', async () => {
    const s = scene({ pageSize: 100 });
    for (let index = 0; index < 300; index += 1) s.cluster.createPod(podOf(`p${index}`));
    const MIB = 2 ** 20;
    const sizes = [MIB, 8 * MIB, 100 * MIB];
    const limits: (number | undefined)[] = [];
    const measuring: ClusterApi = Object.create(s.api);
    measuring.list = async (kind, query, signal) => {
      limits.push(query.limit);
      return { ...(await s.api.list(kind, query, signal)), sizeBytes: sizes.shift() ?? MIB };
    };
    const deps = { api: measuring, clock: s.clock, log: silentLogger, random: () => 0.5 };
    const reflector = new Reflector({ kind: 'pods', pageSize: 100 }, deps);
    reflector.start({ onReplace: () => undefined, onUpsert: () => undefined, onDelete: () => undefined });
    await reflector.synced;
    await reflector.close();
    expect(limits).to.deep.equal([100, 100, 25, 1, 100]);
    expect(reflector.objects.size).to.equal(300);
  });

  it('halves a page that is too large to be read until it is not, and keeps to what comes after', async () => {
    const s = scene({ pageSize: 100 });
    for (let index = 0; index < 40; index += 1) s.cluster.createPod(podOf(`p${index}`));
    const limits: (number | undefined)[] = [];
    const narrow: ClusterApi = Object.create(s.api);
    narrow.list = async (kind, query, signal) => {
      limits.push(query.limit);
      if ((query.limit ?? 0) > 30) {
        throw new ClusterApiError('invalid-answer', 'too long', { reason: ANSWER_TOO_LARGE });
      }
      return { ...(await s.api.list(kind, query, signal)), sizeBytes: 50 * 2 ** 20 };
    };
    const deps = { api: narrow, clock: s.clock, log: silentLogger, random: () => 0.5 };
    const reflector = new Reflector({ kind: 'pods', pageSize: 100 }, deps);
    reflector.start({ onReplace: () => undefined, onUpsert: () => undefined, onDelete: () => undefined });
    await reflector.synced;
    await reflector.close();
    expect(limits.slice(0, 4)).to.deep.equal([100, 50, 25, 1]);
    expect(reflector.objects.size).to.equal(40);
  });

  it('gives up a list whose single object is too large, and says so', async () => {
    const s = scene({ pageSize: 4 });
    const limits: (number | undefined)[] = [];
    const narrow: ClusterApi = Object.create(s.api);
    narrow.list = (_kind, query) => {
      limits.push(query.limit);
      return Promise.reject(new ClusterApiError('invalid-answer', 'too long', { reason: ANSWER_TOO_LARGE }));
    };
    const warnings: unknown[] = [];
    const log: Logger = {
      ...silentLogger,
      warn: (_message, details) => warnings.push(details),
      with: () => log,
    };
    const reflector = new Reflector(
      { kind: 'pods', pageSize: 4 },
      { api: narrow, clock: s.clock, log, random: () => 0.5 },
    );
    reflector.start({ onReplace: () => undefined, onUpsert: () => undefined, onDelete: () => undefined });
    await turn();
    await reflector.close();
    expect(limits).to.deep.equal([4, 2, 1]);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include({ reason: 'too long' });
  });

  it('lets others run in the middle of a burst of changes', async () => {
    const s = scene();
    await s.start();
    const BURST = 1000;
    for (let index = 0; index < BURST; index += 1) s.cluster.createPod(podOf(`p${index}`));
    const seen: number[] = [];
    while ((seen.at(-1) ?? 0) < BURST) {
      await turn();
      seen.push(s.reflector.objects.size);
    }
    const steps = seen.map((count, index) => count - (seen[index - 1] ?? 0));
    expect(Math.max(...steps)).to.be.at.most(200);
    expect(s.told.slice(1)).to.have.length(BURST);
  });

  it('goes on from a bookmark when nothing else has come, however much its selector hides', async () => {
    const s = scene({ fieldSelector: 'spec.nodeName=elsewhere' });
    await s.start();
    for (const name of ['p1', 'p2', 'p3']) s.cluster.createPod(podOf(name));
    const version = s.cluster.latestVersion('pods');
    await turn();
    s.cluster.compact();
    s.api.cutWatches('reset');
    await turn();
    await s.clock.advanceBy(1000);
    expect(callsOf(s)).to.deep.equal(['list', 'watch', 'watch']);
    expect(s.api.calls.at(-1)?.query).to.have.property('resourceVersion', version);
    expect(s.told).to.deep.equal(['replace  (+ -)']);
  });

  it('spreads the lists of many that are told 410 at the same moment', async () => {
    const clock = new VirtualClock(START_MS);
    const cluster = new InMemoryCluster({}, { clock });
    const listsAtMs: number[] = [];
    const many = Array.from({ length: 20 }, (_, index) => {
      const api = new FaultyClusterApi(cluster);
      const deps = { api, clock, log: silentLogger, random: () => index / 20 };
      const reflector = new Reflector({ kind: 'pods' }, deps);
      reflector.start({
        onReplace: () => listsAtMs.push(clock.nowMs()),
        onUpsert: () => undefined,
        onDelete: () => undefined,
      });
      return { api, reflector };
    });
    await Promise.all(many.map(({ reflector }) => reflector.synced));
    await turn();
    listsAtMs.length = 0;
    for (const { api } of many) api.cutWatches('errorEvent410');
    await turn();
    await clock.advanceBy(1000);
    expect(listsAtMs).to.have.length(20);
    expect(new Set(listsAtMs).size).to.be.above(10);
    await Promise.all(many.map(({ reflector }) => reflector.close()));
  });

  it('asks for watches of 240 to 300 s, from the version of the list, with its selectors', async () => {
    const s = scene({ fieldSelector: 'spec.nodeName=', labelSelector: 'app=web' });
    await s.start();
    expect(s.api.calls.at(-1)?.query).to.deep.equal({
      resourceVersion: s.reflector.resourceVersion,
      timeoutSeconds: 270,
      fieldSelector: 'spec.nodeName=',
      labelSelector: 'app=web',
    });
  });

  it('drops managed fields unless told how to project', async () => {
    const managed = { managedFields: [{ manager: 'kubectl' }], labels: { app: 'web' } } as object;
    const s = scene();
    s.cluster.createPod(podOf('p1', { metadata: managed }));
    await s.start();
    expect(s.reflector.objects.get('default/p1')?.metadata).not.to.have.property('managedFields');
    const project = ({
      metadata: { name, namespace = '', uid = '', resourceVersion = '' },
      spec,
    }: Pod): Pod => ({
      metadata: { name, namespace, uid, resourceVersion },
      spec: { nodeName: spec.nodeName ?? 'none' },
    });
    const projecting = scene({ project });
    projecting.cluster.createPod(podOf('p1'));
    await projecting.start();
    projecting.cluster.createPod(podOf('p2', { nodeName: 'n1' }));
    await turn();
    const specs = [...projecting.reflector.objects.values()].map(({ spec }) => spec);
    expect(specs).to.deep.equal([{ nodeName: 'none' }, { nodeName: 'n1' }]);
  });

  for (const fault of ['reset', '500', '403', 'close'] as const) {
    it(`goes on from where it was after a watch that ends with ${fault}, without another list`, async () => {
      const s = scene();
      s.cluster.createPod(podOf('p1'));
      await s.start();
      s.api.cutWatches(fault);
      await turn();
      s.cluster.createPod(podOf('p2'));
      s.cluster.deletePod('default', 'p1');
      expect(s.told).to.have.length(1);
      await s.clock.advanceBy(1000);
      expect(s.told.slice(1)).to.deep.equal(['upsert p2', 'delete p1']);
      expect(callsOf(s)).to.deep.equal(['list', 'watch', 'watch']);
      expect(s.api.openWatches).to.equal(1);
    });
  }

  for (const fault of ['410', 'errorEvent410'] as const) {
    it(`lists again after ${fault}, tells only what changed and synthesises what it missed`, async () => {
      const s = scene();
      for (const name of ['gone', 'kept', 'changed']) s.cluster.createPod(podOf(name));
      await s.start();
      s.api.cutWatches(fault);
      await turn();
      s.cluster.deletePod('default', 'gone');
      s.cluster.updatePodStatus('default', 'changed', { phase: 'Running' });
      s.cluster.createPod(podOf('new'));
      s.cluster.compact();
      await s.clock.advanceBy(1000);
      expect(s.told.slice(1)).to.deep.equal(['replace changed,kept,new (+changed,new -gone)']);
      expect(callsOf(s)).to.deep.equal(['list', 'watch', 'list', 'watch']);
    });
  }

  it('lists soon after a 410, however often the server was away before, but not in a flood', async () => {
    const s = scene();
    await s.start();
    const gone: Fault[] = Array.from({ length: 8 }, () => '410');
    s.api.plan('watch', 'reset', 'reset', 'reset', 'reset', ...gone);
    s.api.cutWatches('reset');
    while (!callsOf(s).includes('watch:410')) await s.clock.advanceBy(100);
    s.cluster.createPod(podOf('p1'));
    await s.clock.advanceBy(300);
    expect(s.told.at(-1)).to.equal('replace p1 (+p1 -)');
    const before = s.api.calls.length;
    await s.clock.advanceBy(10_000);
    expect(s.api.calls.length - before).to.be.within(4, 16);
  });

  it('does not lag behind another that has found the server again', async () => {
    const recovery = new SharedRecovery();
    const [late, early] = [scene({}, {}, recovery), scene({}, {}, recovery)];
    await late.start();
    await early.start();
    late.api.plan('watch', ...Array.from({ length: 9 }, (): Fault => 'reset'));
    late.api.cutWatches('reset');
    await turn();
    await late.clock.advanceBy(60_000);
    const before = callsOf(late).length;
    early.api.cutWatches('reset');
    await turn();
    await early.clock.advanceBy(300);
    expect(callsOf(early)).to.deep.equal(['list', 'watch', 'watch']);
    await turn();
    expect(callsOf(late).length).to.be.above(before);
  });

  it('tells apart two pods of one name when it missed the change', async () => {
    const s = scene();
    s.cluster.createPod(podOf('p1', { labels: { generation: 'old' } }));
    const deleted: (string | undefined)[] = [];
    const upserted: (string | undefined)[] = [];
    s.reflector.start({
      onReplace: (_items, diff) => {
        deleted.push(...diff.deleted.map(({ metadata }) => metadata.labels?.generation));
        upserted.push(...diff.upserted.map(({ metadata }) => metadata.labels?.generation));
      },
      onUpsert: () => undefined,
      onDelete: () => undefined,
    });
    await s.reflector.synced;
    await turn();
    s.api.cutWatches('410');
    await turn();
    s.cluster.deletePod('default', 'p1');
    s.cluster.createPod(podOf('p1', { labels: { generation: 'new' } }));
    await s.clock.advanceBy(1000);
    expect({ deleted, upserted }).to.deep.equal({ deleted: ['old'], upserted: ['old', 'new'] });
  });

  it('starts a list again whose continue token has expired, and hands nothing over by halves', async () => {
    const s = scene({ pageSize: 1 });
    for (const name of ['p1', 'p2', 'p3']) s.cluster.createPod(podOf(name));
    s.api.plan('list', 'none', '410');
    s.reflector.start({
      onReplace: (items) => s.told.push(`replace ${items.length}`),
      onUpsert: () => undefined,
      onDelete: () => undefined,
    });
    await turn();
    expect(s.told).to.deep.equal([]);
    await s.clock.advanceBy(1000);
    expect(s.told).to.deep.equal(['replace 3']);
    expect(callsOf(s)).to.deep.equal(['list', 'list:410', 'list', 'list', 'list', 'watch']);
    expect(s.api.calls[2]?.query).not.to.have.property('continueToken');
  });

  it('opens a watch anew that says nothing for 150 s, bookmarks counting as life, and alarms nobody', async () => {
    const s = scene();
    await s.start();
    await s.clock.advanceBy(200_000);
    expect(callsOf(s)).to.deep.equal(['list', 'watch']);
    s.api.cutWatches('silence');
    await turn();
    // The last bookmark came at 180 s.
    await s.clock.advanceBy(129_000);
    expect(callsOf(s)).to.deep.equal(['list', 'watch']);
    s.cluster.createPod(podOf('p1'));
    await s.clock.advanceBy(3_000);
    expect(callsOf(s)).to.deep.equal(['list', 'watch', 'watch']);
    expect(s.told.at(-1)).to.equal('upsert p1');
    expect(s.lines).to.deep.equal([]);
  });

  it('does not list a quiet collection again and again', async () => {
    const s = scene();
    await s.start();
    s.api.plan('watch', ...Array.from({ length: 20 }, (): Fault => 'silence'));
    s.api.cutWatches('silence');
    await turn();
    await s.clock.advanceBy(20 * 150_000);
    expect(callsOf(s).filter((call) => call === 'list')).to.have.length(1);
    expect(callsOf(s).filter((call) => call === 'watch:silence').length).to.be.within(15, 20);
    expect(s.lines).to.deep.equal([]);
  });

  it('asks ever less often while the server is away, never less than each 30 s, and a line for each kind of reason says so', async () => {
    const s = scene();
    await s.start();
    const attempts: number[] = [];
    const faults: Fault[] = Array.from(
      { length: 60 },
      (_, index) => (['reset', '500', '403', 'close'] as const)[index % 4] ?? 'reset',
    );
    s.api.plan('watch', ...faults);
    s.api.plan('list', ...faults);
    s.api.cutWatches('reset');
    let seen = s.api.calls.length;
    for (let step = 0; step < 600; step += 1) {
      await s.clock.advanceBy(500);
      for (; seen < s.api.calls.length; seen += 1) attempts.push(s.clock.nowMs());
    }
    const gaps = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    expect(attempts.length).to.be.within(12, 30);
    expect(Math.max(...gaps)).to.be.at.most(30_500);
    expect(Math.min(...gaps.slice(-5))).to.be.above(10_000);
    // No answer, a failing one, a refusal: each has another remedy.
    expect(s.lines).to.deep.equal(Array.from({ length: 3 }, () => 'warn list and watch failed; retrying'));
    expect(s.api.openWatches).to.equal(0);
  });

  it('comes back by itself, tells what it missed, and says when it is healthy again', async () => {
    const s = scene();
    await s.start();
    s.api.plan('watch', 'reset', '500', '403', '500');
    s.api.cutWatches('reset');
    await turn();
    s.cluster.createPod(podOf('p1'));
    await s.clock.advanceBy(60_000);
    expect(s.told.at(-1)).to.equal('upsert p1');
    expect(s.api.openWatches).to.equal(1);
    expect(s.lines).to.deep.equal([
      'warn list and watch failed; retrying',
      'warn list and watch failed; retrying',
      'warn list and watch failed; retrying',
      'info the watch is healthy again',
    ]);
    const before = s.api.calls.length;
    s.api.cutWatches('reset');
    await turn();
    await s.clock.advanceBy(250);
    expect(s.api.calls.length).to.equal(before + 1);
  });

  it('lists again when the version itself seems to be the trouble', async () => {
    const s = scene();
    await s.start();
    s.api.plan('watch', ...Array.from({ length: 6 }, (): Fault => '500'));
    s.api.cutWatches('reset');
    await s.clock.advanceBy(120_000);
    expect(callsOf(s).filter((call) => call === 'list')).to.have.length(2);
    expect(s.api.openWatches).to.equal(1);
  });

  it('waits as long as the server asks', async () => {
    const s = scene();
    let refusals = 1;
    const asking: ClusterApi = Object.create(s.api);
    asking.list = async (kind, query, signal) => {
      refusals -= 1;
      if (refusals >= 0)
        throw new ClusterApiError('throttled', 'slow down', { httpStatus: 429, retryAfterMs: 7000 });
      return await s.api.list(kind, query, signal);
    };
    const deps = { api: asking, clock: s.clock, log: silentLogger, random: () => 0.5 };
    const reflector = new Reflector({ kind: 'pods' }, deps);
    reflector.start({ onReplace: () => undefined, onUpsert: () => undefined, onDelete: () => undefined });
    await turn();
    await s.clock.advanceBy(6_900);
    expect(reflector.isSynced).to.equal(false);
    await s.clock.advanceBy(200);
    expect(reflector.isSynced).to.equal(true);
    await reflector.close();
  });

  it('goes on after a handler that throws, and logs it', async () => {
    const s = scene({}, { onUpsert: (pod) => s.told.push(pod.metadata.name) && raise() });
    await s.start();
    s.cluster.createPod(podOf('p1'));
    s.cluster.createPod(podOf('p2'));
    await turn();
    expect(s.told.slice(1)).to.deep.equal(['p1', 'p2']);
    expect(s.lines).to.deep.equal(
      Array.from({ length: 2 }, () => 'error a handler of cluster changes failed'),
    );
  });

  it('tells nothing more once it is closed, closes its watch and leaves no timer', async () => {
    const s = scene();
    await s.start();
    s.cluster.createPod(podOf('p1'));
    await s.reflector.close();
    s.cluster.createPod(podOf('p2'));
    await s.clock.advanceBy(600_000);
    expect(s.told).to.deep.equal(['replace  (+ -)']);
    expect(s.api.openWatches).to.equal(0);
    expect(s.clock.nextTimerMs()).to.equal(undefined);
    await s.reflector.close();
  });

  it('can be closed while it lists, and while it waits', async () => {
    const listing = scene();
    listing.api.plan('list', 'silence');
    listing.reflector.start({
      onReplace: () => undefined,
      onUpsert: () => undefined,
      onDelete: () => undefined,
    });
    await turn();
    await listing.reflector.close();
    expect(await listing.reflector.synced.catch((error: Error) => error.message)).to.equal(
      'the reflector was closed',
    );
    const waiting = scene();
    waiting.api.plan('list', '500');
    waiting.reflector.start({
      onReplace: () => undefined,
      onUpsert: () => undefined,
      onDelete: () => undefined,
    });
    await turn();
    await waiting.reflector.close();
    expect(waiting.clock.nextTimerMs()).to.equal(undefined);
    expect(callsOf(waiting)).to.deep.equal(['list:500']);
  });

  it('cannot be started twice', () => {
    const s = scene();
    const nothing = { onReplace: () => undefined, onUpsert: () => undefined, onDelete: () => undefined };
    s.reflector.start(nothing);
    expect(() => s.reflector.start(nothing)).to.throw('started once');
  });

  it('knows when it has caught up, also behind changes that its selector hides', async () => {
    const s = scene({ fieldSelector: 'spec.nodeName=' });
    const waiting = s.reflector.caughtUp(s.cluster.latestVersion('pods'));
    await s.start();
    await waiting;
    s.cluster.createPod(podOf('bound', { nodeName: 'n1' }));
    const version = s.cluster.latestVersion('pods');
    let caughtUp = false;
    const later = s.reflector.caughtUp(version).then(() => {
      caughtUp = true;
    });
    expect(caughtUp).to.equal(false);
    await later;
    expect(Number(s.reflector.resourceVersion)).to.be.at.least(Number(version));
    expect(s.told).to.have.length(1);
  });

  it('tells whoever waits to catch up that it was closed, or that their signal aborted', async () => {
    const s = scene();
    await s.start();
    const stop = new AbortController();
    const aborted = s.reflector.caughtUp('999', stop.signal).catch((error: Error) => error.message);
    stop.abort(new Error('gave up'));
    expect(await aborted).to.equal('gave up');
    const closed = s.reflector.caughtUp('999').catch((error: Error) => error.message);
    await s.reflector.close();
    expect(await closed).to.equal('the reflector was closed');
  });

  it('remembers when the server last spoke', async () => {
    const s = scene();
    expect(s.reflector.lastContactMs).to.equal(undefined);
    await s.start();
    expect(s.reflector.lastContactMs).to.equal(START_MS);
    await s.clock.advanceBy(45_000);
    expect(s.reflector.lastContactMs).to.equal(START_MS + 30_000);
  });

  it('ends up knowing exactly what is there, whatever happens in whatever order', async () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ type: fc.constant('create' as const), name: names }),
      fc.record({ type: fc.constant('change' as const), name: names }),
      fc.record({ type: fc.constant('delete' as const), name: names }),
      fc.record({ type: fc.constant('compact' as const) }),
      fc.record({
        type: fc.constant('cut' as const),
        fault: fc.constantFrom('reset', '410', 'errorEvent410', 'close', 'silence'),
      }),
      fc.record({ type: fc.constant('plan' as const), fault: fc.constantFrom('500', '403', '410') }),
      fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 5000 }) }),
    );
    const run = async (steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): Promise<void> => {
      const clock = new VirtualClock(START_MS);
      const cluster = new InMemoryCluster({}, { clock });
      const api = new FaultyClusterApi(cluster);
      const known = new Map<string, Node>();
      const reflector = new Reflector(
        { kind: 'nodes', pageSize: 2 },
        { api, clock, log: silentLogger, random: () => 0.5 },
      );
      reflector.start({
        onReplace: (_items, { upserted, deleted }) => {
          for (const node of deleted) known.delete(node.metadata.name);
          for (const node of upserted) known.set(node.metadata.name, node);
        },
        onUpsert: (node) => known.set(node.metadata.name, node),
        onDelete: (node) => known.delete(node.metadata.name),
      });
      for (const [index, one] of steps.entries()) {
        const exists = 'name' in one && cluster.objects.find('nodes', one.name) !== undefined;
        if (one.type === 'create' && !exists) cluster.createNode(nodeOf(one.name));
        if (one.type === 'change' && exists) cluster.updateNode(nodeOf(one.name, { cpu: String(index + 2) }));
        if (one.type === 'delete' && exists) cluster.deleteNode(one.name);
        if (one.type === 'compact') cluster.compact();
        if (one.type === 'cut') api.cutWatches(one.fault as Exclude<Fault, 'none'>);
        if (one.type === 'plan') api.plan('watch', one.fault as Fault);
        if (one.type === 'wait') await clock.advanceBy(one.ms);
      }
      await turn();
      await clock.advanceBy(600_000);
      const truth = cluster.objects.list('nodes', {}).items;
      const versions = (nodes: Iterable<Node>) =>
        new Set([...nodes].map((node) => node.metadata.resourceVersion));
      expect(versions(known.values())).to.deep.equal(versions(truth));
      expect(versions(reflector.objects.values())).to.deep.equal(versions(truth));
      expect(api.openWatches).to.be.at.most(1);
      await reflector.close();
      expect(api.openWatches).to.equal(0);
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), run), { numRuns: 60 });
  });
});

function raise(): never {
  throw new Error('handler');
}
