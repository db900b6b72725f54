import { HttpClusterApi, SystemClock, silentLogger } from '@catamaran/platform';
import { type DecisionRecord, evaluate, type SchedulerService } from '@catamaran/scheduler';
import { expect } from 'chai';
import { seededPlan } from '../plan/seeded-plan.js';
import type { DemoView } from '../view/demo-view.js';
import { connectionTo } from './connection-to.js';
import type { DemoResult } from './demo-result.js';
import { DemoRun } from './demo-run.js';
import type { DemoState } from './demo-state.js';
import { FREE_PORTS, startDemoWorlds } from './demo-worlds.js';
import type { MetricsTiming } from './metrics-timing.js';

interface Ran {
  readonly result: DemoResult;
  readonly states: readonly DemoState[];
  /** Placements of both worlds that were compared with a full evaluation, and those that differ from it. */
  readonly decisions: number;
  readonly surprises: readonly string[];
  /** Node by pod. */
  readonly requests: ReadonlyMap<string, string>;
  readonly catamaran: ReadonlyMap<string, string>;
}

async function placements(serverUrl: string): Promise<ReadonlyMap<string, string>> {
  const deps = { clock: new SystemClock(), log: silentLogger };
  const api = new HttpClusterApi({ connection: connectionTo(serverUrl) }, deps);
  const { items } = await api.list('pods', {}, AbortSignal.timeout(5000));
  await api.close();
  return new Map(items.map(({ metadata, spec }) => [metadata.name, spec.nodeName ?? '']));
}

/** Holds each decision against one that is worked out from scratch on the same snapshot. */
class DecisionAudit {
  readonly seen = new Set<DecisionRecord['snapshot']>();
  readonly surprises: string[] = [];
  readonly #tieSeed: number;

  constructor(tieSeed: number) {
    this.#tieSeed = tieSeed;
  }

  look(scheduler: SchedulerService): void {
    for (const { pod, profile, snapshot, decision } of scheduler.decisions.newest()) {
      if (snapshot === undefined || this.seen.has(snapshot)) return;
      this.seen.add(snapshot);
      const expected = evaluate({ pod, snapshot }, profile, this.#tieSeed).decision;
      if (JSON.stringify(expected) !== JSON.stringify(decision)) {
        this.surprises.push(`${pod.key}: ${JSON.stringify(decision)} instead of ${JSON.stringify(expected)}`);
      }
    }
  }
}

/** A whole run of a small plan, with the real services. */
async function run(timing?: MetricsTiming): Promise<Ran> {
  const seed = 5;
  const plan = seededPlan({ nodes: 8, pods: 80, seed });
  const wallClock = new SystemClock();
  const worlds = await startDemoWorlds(
    { plan, seed, ports: FREE_PORTS, ...(timing === undefined ? {} : { timing }) },
    { wallClock, log: silentLogger, say: () => undefined },
  );
  const states: DemoState[] = [];
  const audit = new DecisionAudit(seed);
  let instants = 0;
  const view: DemoView = {
    update: (_ms, state) => {
      if (instants++ % 20 === 0) states.push(state());
      audit.look(worlds.requests.scheduler);
      audit.look(worlds.catamaran.scheduler);
    },
    close: () => undefined,
  };
  try {
    const result = await new DemoRun(
      { plan, seed, speed: undefined, startMs: worlds.startMs },
      { ...worlds, wallClock, view },
    ).run(new AbortController().signal);
    return {
      result,
      states,
      decisions: audit.seen.size,
      surprises: audit.surprises,
      requests: await placements(worlds.requests.urls.cluster),
      catamaran: await placements(worlds.catamaran.urls.cluster),
    };
  } finally {
    await worlds.close();
  }
}

describe('DemoRun on the real services', function () {
  this.timeout(60_000);
  let first: Ran;
  let beside: Ran;
  before(async () => {
    // Two at once: each slows the other down, and neither may show it.
    [first, beside] = await Promise.all([run(), run()]);
  });

  it('comes out the same however the machine is loaded, pod by pod', () => {
    expect(beside.result).to.deep.equal(first.result);
    expect(beside.catamaran).to.deep.equal(first.catamaran);
    expect(beside.requests).to.deep.equal(first.requests);
  });

  it('binds every pod in both worlds, and the worlds differ', () => {
    expect(first.result).to.include({ pods: 80, bound: 80, nodes: 8 });
    expect([...first.catamaran.values()].every((node) => node.startsWith('node-'))).to.equal(true);
    expect(first.catamaran).not.to.deep.equal(first.requests);
    expect(first.result.schedulers.catamaran.nodesUsed).to.be.below(
      first.result.schedulers.requests.nodesUsed,
    );
  });

  it('reads the metrics every minute, and what it reads decides later placements', async () => {
    expect(first.result.metricRefreshes).to.equal(first.result.simulatedMinutes + 1);
    const frozen = await run({ refreshIntervalMs: 24 * 3_600_000, maxAgeMs: 0 });
    expect(frozen.result.metricRefreshes).to.equal(1);
    const moved = [...frozen.catamaran].filter(([pod, node]) => first.catamaran.get(pod) !== node);
    expect(moved.length).to.be.above(20);
    expect(frozen.requests).to.deep.equal(first.requests);
  });

  it('decides as a full evaluation of the same cluster would, every single time', () => {
    expect(first.decisions).to.equal(160);
    expect(first.surprises).to.deep.equal([]);
  });

  it('keeps the work of both worlds equal: the same demand at the same time', () => {
    const { requests, catamaran } = first.result.schedulers;
    const work = (figures: typeof requests): number => figures.nodesUsed * figures.meanUtilizationPercent;
    // Node sizes differ, and idle load counts only while a node is in use: near, not equal.
    expect(work(catamaran) / work(requests)).to.be.within(0.8, 1.25);
  });

  it('tells where the newest pods went and what was expected of the node', () => {
    const pairs = first.states.flatMap((state) => state.placements);
    expect(pairs).not.to.deep.equal([]);
    for (const { pod, requests, catamaran } of pairs) {
      expect(catamaran.node).to.equal(first.catamaran.get(pod));
      expect(requests.node).to.equal(first.requests.get(pod));
      expect(catamaran.predictedPercent).to.be.a('number');
      expect(requests.predictedPercent).to.equal(undefined);
      expect(catamaran.secondBest?.score ?? 0).to.be.at.most(catamaran.score);
    }
  });
});
