import { steadyCurve } from '@catamaran/simulator';
import { expect } from 'chai';
import { nodeManifest, podManifest } from './manifests.js';
import type { PlannedNode, PlannedPod } from './world-plan.js';

const NODE: PlannedNode = {
  name: 'n1',
  cpuCapacityMilli: 16_000,
  memoryCapacityBytes: 1_000_000,
  gpuMilli: 8000,
  reservedFor: 'whole-machine',
};
const POD: PlannedPod = {
  name: 'p1',
  workload: 'app',
  arrivalOffsetMs: 65_000,
  gpuMilli: 1500,
  reservedPool: 'whole-machine',
  load: {
    cpuRequestMilli: 250,
    memoryRequestBytes: 4096,
    cpuCurve: steadyCurve(1),
    memoryCurve: steadyCurve(1),
  },
};

describe('manifests of the demo', () => {
  it('keeps the system share out of allocatable and gives GPUs as example.com/gpu-milli', () => {
    const gpu = { 'example.com/gpu-milli': '8000' };
    expect(nodeManifest(NODE, 0, 0).status).to.deep.include({
      capacity: { cpu: '16000m', memory: '1000000', pods: '110', ...gpu },
      allocatable: { cpu: '15680m', memory: '950000', pods: '110', ...gpu },
    });
    expect(nodeManifest({ ...NODE, gpuMilli: 0 }, 0, 0).status?.capacity).not.to.have.property(
      'example.com/gpu-milli',
    );
  });

  it('reserves a node by taint and label, and its pods go there by selector and toleration', () => {
    expect(nodeManifest(NODE, 0, 0).spec?.taints).to.deep.equal([
      { key: 'example.com/pool', value: 'whole-machine', effect: 'NoSchedule' },
    ]);
    expect(nodeManifest(NODE, 0, 0).metadata.labels).to.include({ 'example.com/pool': 'whole-machine' });
    const { spec } = podManifest(POD, 1);
    expect(spec.nodeSelector).to.deep.equal({ 'example.com/pool': 'whole-machine' });
    expect(spec.tolerations).to.deep.equal([
      { key: 'example.com/pool', operator: 'Equal', value: 'whole-machine', effect: 'NoSchedule' },
    ]);
    expect(podManifest({ ...POD, reservedPool: undefined }, 1).spec).not.to.have.any.keys(
      'nodeSelector',
      'tolerations',
    );
    expect(nodeManifest({ ...NODE, reservedFor: undefined }, 0, 0).spec).to.deep.equal({});
  });

  it('asks for what the plan says and has a uid of its own for each name and seed', () => {
    const pod = podManifest(POD, 1);
    expect(pod.spec.containers?.[0]?.resources?.requests).to.deep.equal({
      cpu: '250m',
      memory: '4096',
      'example.com/gpu-milli': '1500',
    });
    const uids = [pod, podManifest(POD, 2), podManifest({ ...POD, name: 'p2' }, 1)].map(
      ({ metadata }) => metadata.uid,
    );
    expect(new Set(uids).size).to.equal(3);
    expect(uids[0]).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(podManifest(POD, 1)).to.deep.equal(pod);
  });
});
