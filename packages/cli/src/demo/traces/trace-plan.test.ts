import { expect } from 'chai';
import { requestedCpuPercent } from '../plan/world-plan.js';
import type { TraceFolder, TraceNode, TracePod } from './trace-folder.js';
import { tracePlan } from './trace-plan.js';

const NODES: readonly TraceNode[] = [
  { name: 'plain', cpuMilli: 96000, memoryMib: 393216, gpus: 0 },
  { name: 'small-gpu', cpuMilli: 104000, memoryMib: 524288, gpus: 2 },
  { name: 'gpu-a', cpuMilli: 96000, memoryMib: 393216, gpus: 8 },
  { name: 'gpu-b', cpuMilli: 128000, memoryMib: 786432, gpus: 8 },
];

function pod(index: number, gpuMilli = 0): TracePod {
  return { name: `pod-${index}`, cpuMilli: 8000, memoryMib: 16384, gpuMilli, creationTime: index };
}

function trace(pods: readonly TracePod[]): TraceFolder {
  return {
    nodes: NODES,
    pods,
    cpuPercent: [[10, 20], [30], [40]],
    memoryPercent: [[50]],
  };
}

describe('tracePlan', () => {
  const plan = tracePlan(trace(Array.from({ length: 240 }, (_, index) => pod(index, (index % 5) * 500))), {
    pods: 200,
    nodes: undefined,
  });

  it('takes the first pods in order and gives each its row of the usage trace', () => {
    expect(plan.pods).to.have.length(200);
    expect(plan.pods.map(({ name }) => name).slice(0, 3)).to.deep.equal(['pod-0', 'pod-1', 'pod-2']);
    expect(plan.pods[4]?.load).to.deep.equal({
      cpuRequestMilli: 8000,
      memoryRequestBytes: 16384 * 1024 ** 2,
      cpuCurve: { samples: [0.3], firstSample: 0 },
      memoryCurve: { samples: [0.5], firstSample: 0 },
    });
    expect(plan.pods[4]?.gpuMilli).to.equal(2000);
  });

  it('spreads arrivals over two hours in slots that keep clear of the services', () => {
    const offsets = plan.pods.map(({ arrivalOffsetMs }) => arrivalOffsetMs);
    expect(offsets).to.deep.equal(offsets.toSorted((a, b) => a - b));
    expect(offsets.every((ms) => ms % 10_000 === 5000)).to.equal(true);
    expect(offsets[0]).to.be.at.least(60_000);
    expect(offsets.at(-1)).to.be.within(118 * 60_000, 121 * 60_000);
    expect(plan.simulatedMinutes).to.be.at.least(121);
  });

  it('takes so many nodes that two thirds of the CPU are requested, of every kind in the fixed mix', () => {
    expect(requestedCpuPercent(plan)).to.be.within(60, 66);
    const count = (gpuMilli: number): number =>
      plan.nodes.filter((node) => node.gpuMilli === gpuMilli).length;
    expect(count(8000)).to.be.above(count(0));
    expect(count(0)).to.be.above(0);
    expect(count(2000)).to.be.above(0);
    expect(new Set(plan.nodes.map(({ name }) => name)).size).to.equal(plan.nodes.length);
  });

  it('gives pods that ask for half a machine or more the largest machines, one each, and says so', () => {
    const pods = [pod(0), pod(1, 8000), pod(2, 3999), pod(3, 4000)];
    const whole = tracePlan(trace(pods), { pods: 4, nodes: 6 });
    expect(whole.nodes).to.have.length(6);
    const reserved = whole.nodes.filter((node) => node.reservedFor !== undefined);
    expect(reserved.map((node) => node.cpuCapacityMilli)).to.deep.equal([128000, 128000]);
    expect(whole.pods.map(({ reservedPool }) => reservedPool)).to.deep.equal([
      undefined,
      'large-gpu',
      undefined,
      'large-gpu',
    ]);
    expect(whole.notes.join(' ')).to.contain(
      "2 pods that ask for at least half of a machine's GPUs have 2 machines of their own",
    );
  });

  it('says how much of its requests the trace uses', () => {
    expect(plan.notes[0]).to.match(
      /^The trace's pods use 28 % of the CPU they request on average, so hot nodes are rare/,
    );
  });

  it('refuses fewer nodes than the large pods need', () => {
    const pods = [pod(0), pod(1, 8000), pod(2, 8000)];
    expect(() => tracePlan(trace(pods), { pods: 3, nodes: 2 })).to.throw(
      '--nodes=2: 2 pods need machines of their own; give at least --nodes=3',
    );
  });

  it('refuses more pods than the trace has', () => {
    expect(() => tracePlan(trace([pod(0)]), { pods: 5, nodes: undefined })).to.throw(
      '--pods=5: the trace has 1 pods; give --pods=1 or less',
    );
  });
});
