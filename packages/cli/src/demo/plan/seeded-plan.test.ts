import { meanShare } from '@catamaran/simulator';
import { expect } from 'chai';
import fc from 'fast-check';
import { seededPlan } from './seeded-plan.js';
import { allocatableCpuMilli, allocatableMemoryBytes, requestedCpuPercent } from './world-plan.js';

describe('seededPlan', () => {
  const plan = seededPlan({ nodes: 40, pods: 500, seed: 1 });

  it('repeats for a seed and differs between seeds', () => {
    expect(seededPlan({ nodes: 40, pods: 500, seed: 1 })).to.deep.equal(plan);
    expect(seededPlan({ nodes: 40, pods: 500, seed: 2 }).pods).not.to.deep.equal(plan.pods);
  });

  it('requests about three quarters of the CPU and uses about 70 % of that, with requests wrong both ways', () => {
    expect(requestedCpuPercent(plan)).to.be.within(68, 75);
    const requested = plan.pods.reduce((sum, pod) => sum + pod.load.cpuRequestMilli, 0);
    const used = plan.pods.reduce(
      (sum, pod) => sum + pod.load.cpuRequestMilli * meanShare(pod.load.cpuCurve),
      0,
    );
    expect(used / requested).to.be.within(0.62, 0.78);
    const shares = plan.pods.map((pod) => meanShare(pod.load.cpuCurve));
    expect(shares.filter((share) => share > 1).length).to.be.above(25);
    expect(shares.filter((share) => share < 0.4).length).to.be.above(100);
  });

  it('lets pods arrive in order, over ninety minutes, within the simulated time', () => {
    const offsets = plan.pods.map(({ arrivalOffsetMs }) => arrivalOffsetMs);
    expect(offsets).to.deep.equal(offsets.toSorted((a, b) => a - b));
    expect(offsets.every((ms) => ms % 10_000 === 5000)).to.equal(true);
    expect(offsets.at(-1)).to.be.below(plan.simulatedMinutes * 60_000);
  });

  it('never asks for more than a quarter of a node or more than the cluster has, at any size', () => {
    const sizes = fc.record({
      nodes: fc.integer({ min: 1, max: 60 }),
      pods: fc.integer({ min: 1, max: 300 }),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(sizes, (size) => {
        const { nodes, pods } = seededPlan(size);
        expect(pods).to.have.length(size.pods);
        expect(new Set(pods.map(({ name }) => name)).size).to.equal(size.pods);
        const leastCpu = Math.min(...nodes.map(allocatableCpuMilli));
        const leastMemory = Math.min(...nodes.map(allocatableMemoryBytes));
        for (const { load } of pods) {
          expect(load.cpuRequestMilli).to.be.within(10, leastCpu / 4);
          expect(load.memoryRequestBytes).to.be.within(1, leastMemory / 4);
        }
        expect(requestedCpuPercent({ nodes, pods, simulatedMinutes: 0, notes: [] })).to.be.at.most(75.1);
      }),
      { numRuns: 40 },
    );
  });
});
