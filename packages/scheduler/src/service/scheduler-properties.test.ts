import { ClusterApiError } from '@catamaran/platform';
import { nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import { PLAIN, SchedulerWorld } from './scheduler-world.test.js';

const NODE_MILLI = 1_000;

type Operation =
  | { readonly op: 'create'; readonly milli: number }
  | { readonly op: 'delete' | 'finish' | 'cordon' | 'uncordon'; readonly pick: number }
  | { readonly op: 'addNode' | 'compact' }
  | { readonly op: 'wait'; readonly ms: number };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ op: fc.constant('create' as const), milli: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('finish' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('addNode' as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('cordon' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('uncordon' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('compact' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 3_000 }) }),
  },
);

/**
 * How a binding goes wrong; `lost`: it lands, and the answer does not come back; `hung`: there is never an answer,
 * `hung-landed`: though it lands.
 */
const fault = fc.constantFrom(
  'none',
  'none',
  'none',
  'lost',
  'hung',
  'hung-landed',
  'timeout',
  'throttled',
  'conflict',
  'forbidden',
);

/** How a read of a pod goes wrong. */
const readFault = fc.constantFrom('none', 'none', 'unavailable', 'hung');

class Run {
  readonly world = new SchedulerWorld();
  readonly landed = new Map<string, number>();
  readonly #faults: string[];
  readonly #milliByName = new Map<string, number>();
  #nodes = 0;
  #pods = 0;

  constructor(faults: readonly string[], readFaults: readonly string[]) {
    this.#faults = [...faults];
    const reads = [...readFaults];
    this.world.intercept.getPod = (proceed) => {
      const kind = reads.shift() ?? 'none';
      if (kind === 'hung') return new Promise(() => undefined);
      return kind === 'none' ? proceed() : Promise.reject(new ClusterApiError('unavailable', 'injected'));
    };
    this.world.intercept.bind = (request, proceed) => this.#bind(request.uid, proceed);
  }

  apply(step: Operation): void {
    const { cluster } = this.world;
    switch (step.op) {
      case 'create': {
        const name = `p${this.#pods++}`;
        const milli = step.milli * 100;
        this.#milliByName.set(name, milli);
        cluster.createPod(podOf(name, { schedulerName: 'packer', requests: { cpu: `${milli}m` } }));
        break;
      }
      case 'delete':
        this.#withPod(step.pick, (name) => cluster.deletePod('default', name));
        break;
      case 'finish':
        this.#withPod(step.pick, (name) => cluster.updatePodStatus('default', name, { phase: 'Succeeded' }));
        break;
      case 'addNode':
        cluster.createNode(nodeOf(`n${this.#nodes++}`, { cpu: `${NODE_MILLI}m` }));
        break;
      case 'cordon':
      case 'uncordon':
        if (this.#nodes > 0) {
          const name = `n${step.pick % this.#nodes}`;
          const unschedulable = step.op === 'cordon';
          cluster.updateNode({ ...cluster.objects.get('nodes', name), spec: { unschedulable } });
        }
        break;
      case 'compact':
        cluster.compact();
        break;
      case 'wait':
        break;
    }
  }

  /** What holds whatever happened. */
  check(): void {
    const used = new Map<string, number>();
    for (const pod of this.#unfinished()) {
      const { nodeName } = pod.spec;
      if (nodeName !== undefined) {
        used.set(nodeName, (used.get(nodeName) ?? 0) + this.#milliOf(pod.metadata.name));
      }
    }
    expect(Math.max(0, ...used.values()), 'no node is over-committed').to.be.at.most(NODE_MILLI);
    expect(Math.max(0, ...this.landed.values()), 'no pod is bound twice').to.be.at.most(1);
  }

  /** What holds once everything has come to rest: whoever waits fits nowhere. */
  checkAtRest(): void {
    this.check();
    const free = new Map<string, number>();
    for (const node of this.world.cluster.objects.list('nodes', {}).items) {
      if (node.spec?.unschedulable !== true) {
        free.set(node.metadata.name, NODE_MILLI);
      }
    }
    for (const { metadata, spec } of this.#unfinished()) {
      const left = free.get(spec.nodeName ?? '');
      if (left !== undefined) {
        free.set(spec.nodeName ?? '', left - this.#milliOf(metadata.name));
      }
    }
    const mostFree = Math.max(0, ...free.values());
    for (const { metadata, spec } of this.#unfinished()) {
      if (spec.nodeName === undefined) {
        expect(this.#milliOf(metadata.name), `${metadata.name} waits though it fits`).to.be.above(mostFree);
      }
    }
  }

  /** Calls that hang are given up. */
  async end(): Promise<void> {
    const closing = this.world.close();
    await this.world.drift(4_000, 500);
    await closing;
  }

  #unfinished() {
    return this.world.cluster.objects
      .list('pods', { fieldSelector: 'status.phase!=Succeeded' })
      .items.filter(({ spec }) => spec.schedulerName === 'packer');
  }

  #milliOf(name: string): number {
    return this.#milliByName.get(name) ?? 0;
  }

  #withPod(pick: number, act: (name: string) => void): void {
    const pods = this.#unfinished();
    const pod = pods[pick % Math.max(1, pods.length)];
    if (pod !== undefined) {
      act(pod.metadata.name);
    }
  }

  async #bind(uid: string, proceed: () => Promise<void>): Promise<void> {
    const kind = this.#faults.shift() ?? 'none';
    if (kind === 'none' || kind === 'lost' || kind === 'hung-landed') {
      await proceed();
      this.landed.set(uid, (this.landed.get(uid) ?? 0) + 1);
    }
    if (kind.startsWith('hung')) {
      await new Promise(() => undefined);
    }
    if (kind !== 'none') {
      throw new ClusterApiError(kind === 'lost' ? 'unavailable' : (kind as 'timeout'), `injected ${kind}`);
    }
  }
}

describe('whatever happens, the scheduler', () => {
  it('never over-commits, never binds twice, and leaves no pod waiting that fits', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 5, maxLength: 60 }),
        fc.array(fault, { maxLength: 30 }),
        fc.array(readFault, { maxLength: 10 }),
        async (steps, faults, readFaults) => {
          const run = new Run(faults, readFaults);
          try {
            await run.world.start(PLAIN);
            for (const step of steps) {
              run.apply(step);
              await run.world.drift(step.op === 'wait' ? step.ms : 50, 500);
              run.check();
            }
            await run.world.drift(400_000, 2_000);
            await run.world.settle();
            run.checkAtRest();
          } finally {
            await run.end();
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
