import { nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { projectNode, projectPod } from './projection.js';

describe('projection', () => {
  it('keeps of a pod what scheduling reads, and every field of its spec', () => {
    const metadata = { annotations: { a: 'b' }, managedFields: [{}], finalizers: ['x'], uid: 'u1' } as object;
    const container = {
      name: 'main',
      image: 'i',
      env: [{ name: 'A' }],
      volumeMounts: [{}],
      resources: { limits: { cpu: '1' } },
    };
    const pod = podOf('p1', {
      metadata,
      labels: { app: 'web' },
      containers: [container],
      spec: {
        someNewConstraint: { hard: true },
        tolerations: [{ operator: 'Exists' }],
        ephemeralContainers: [{}],
      },
      status: { phase: 'Running', podIPs: [], containerStatuses: [{ name: 'main', ready: true }] } as object,
    });
    expect(projectPod(pod)).to.deep.equal({
      metadata: { name: 'p1', namespace: 'default', uid: 'u1', labels: { app: 'web' } },
      spec: {
        containers: [{ name: 'main', image: 'i', resources: { limits: { cpu: '1' } } }],
        someNewConstraint: { hard: true },
        tolerations: [{ operator: 'Exists' }],
      },
      status: { phase: 'Running', containerStatuses: [{ name: 'main' }] },
    });
  });

  it('keeps the conditions of a pod that concern scheduling', () => {
    const types = [
      'PodScheduled',
      'Initialized',
      'Ready',
      'ContainersReady',
      'PodReadyToStartContainers',
      'DisruptionTarget',
    ];
    const conditions = types.map((type) => ({ type, status: 'True' }));
    const kept = projectPod(podOf('p1', { status: { conditions } })).status?.conditions;
    expect(kept?.map(({ type }) => type)).to.deep.equal(['PodScheduled', 'DisruptionTarget']);
    const damaged = podOf('p1', { status: { conditions: 'none' } as object });
    expect(projectPod(damaged).status?.conditions).to.equal('none');
  });

  it('keeps of a node what scheduling reads', () => {
    const { spec, status, metadata } = nodeOf('n1', {
      taints: [{ key: 'k', effect: 'NoSchedule' }],
      unschedulable: true,
    });
    const images = [{ names: ['big'], sizeBytes: 1 }];
    const full = {
      metadata: { ...metadata, annotations: { a: 'b' } },
      spec: { ...spec, podCIDR: 'x' },
      status: { ...status, images },
    };
    expect(projectNode(full)).to.deep.equal({ metadata, spec, status });
  });

  it('keeps the one annotation that is read here', () => {
    const annotations = { 'catamaran.dev/load-ceiling': 'cpu=95', other: 'x' };
    const kept = { 'catamaran.dev/load-ceiling': 'cpu=95' };
    expect(projectNode({ metadata: { name: 'n1', annotations } }).metadata.annotations).to.deep.equal(kept);
    const pod = { metadata: { name: 'p1', annotations }, spec: {} };
    expect(projectPod(pod).metadata.annotations).to.deep.equal(kept);
  });

  it('adds nothing to what has little', () => {
    expect(projectNode({ metadata: { name: 'n1' } })).to.deep.equal({ metadata: { name: 'n1' } });
    expect(projectPod({ metadata: { name: 'p1' }, spec: {} })).to.deep.equal({
      metadata: { name: 'p1' },
      spec: {},
    });
  });
});
