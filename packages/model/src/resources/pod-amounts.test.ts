import { expect } from 'chai';
import type { Container, Pod, PodStatus } from '../kubernetes/pod.js';
import { podAmounts, scoredRequests } from './pod-amounts.js';

type Requests = Readonly<Record<string, string | number>>;

const MI = 1024 * 1024;

function app(name: string, requests: Requests = {}, limits: Requests = {}): Container {
  return { name, resources: { requests, limits } };
}

function sidecar(name: string, requests: Requests = {}): Container {
  return { ...app(name, requests), restartPolicy: 'Always' };
}

function pod(spec: Pod['spec'], status?: PodStatus): Pod {
  return { metadata: { name: 'p' }, spec, ...(status === undefined ? {} : { status }) };
}

function requestsOf(of: Pod): Record<string, number | bigint> {
  return Object.fromEntries(podAmounts(of).requests);
}

/** Sentence, pod, requests (cpu in milli). */
const REQUEST_ROWS: readonly (readonly [string, Pod, Record<string, number | bigint>])[] = [
  ['a pod without containers asks for nothing', pod({}), {}],
  [
    'containers add up',
    pod({ containers: [app('a', { cpu: '100m', memory: '64Mi' }), app('b', { cpu: 1 })] }),
    { cpu: 1100, memory: 64 * MI },
  ],
  [
    'each container is rounded up to whole milli-CPU on its own',
    pod({ containers: [app('a', { cpu: '0.1001' }), app('b', { cpu: '0.1001' })] }),
    { cpu: 202 },
  ],
  [
    'memory in thousandths is rounded up to a byte',
    pod({ containers: [app('a', { memory: '100m' })] }),
    { memory: 1 },
  ],
  [
    'an init container counts where it is larger than what runs later, resource by resource',
    pod({
      initContainers: [app('i', { cpu: '2', memory: '10Mi' })],
      containers: [app('a', { cpu: '500m', memory: '20Mi' })],
    }),
    { cpu: 2000, memory: 20 * MI },
  ],
  [
    'a sidecar runs beside the containers',
    pod({ initContainers: [sidecar('s', { cpu: '300m' })], containers: [app('a', { cpu: '500m' })] }),
    { cpu: 800 },
  ],
  [
    'an init container runs together with the sidecars listed before it',
    pod({
      initContainers: [sidecar('s', { cpu: '300m' }), app('i', { cpu: '2' })],
      containers: [app('a', { cpu: '500m' })],
    }),
    { cpu: 2300 },
  ],
  [
    'a sidecar listed after an init container is not counted with it',
    pod({
      initContainers: [app('i', { cpu: '2' }), sidecar('s', { cpu: '300m' })],
      containers: [app('a', { cpu: '500m' })],
    }),
    { cpu: 2000 },
  ],
  [
    'two sidecars around two init containers: the highest moment counts for each resource',
    pod({
      initContainers: [
        sidecar('s1', { cpu: '100m', memory: '256Mi' }),
        app('i1', { cpu: '2', memory: '512Mi' }),
        sidecar('s2', { cpu: '200m', memory: '512Mi' }),
        app('i2', { cpu: '100m', memory: '1Gi' }),
      ],
      containers: [app('a', { cpu: '500m', memory: '512Mi' })],
    }),
    { cpu: 2100, memory: 1792 * MI },
  ],
  [
    'overhead comes on top, whatever the largest moment is',
    pod({
      initContainers: [app('i', { cpu: '2' })],
      containers: [app('a', { cpu: '1' })],
      overhead: { cpu: '250m', memory: '120Mi' },
    }),
    { cpu: 2250, memory: 120 * MI },
  ],
  [
    'a limit alone is no request: the API server has filled requests in',
    pod({ containers: [app('a', {}, { cpu: '2' })] }),
    {},
  ],
  [
    'pod-level requests replace the sum for the resources they name',
    pod({
      containers: [app('a', { cpu: '100m', memory: '1Gi' }), app('b')],
      resources: { requests: { cpu: '500m' } },
    }),
    { cpu: 500, memory: 1024 * MI },
  ],
  [
    'pod-level requests cover init containers too, overhead still comes on top',
    pod({
      initContainers: [app('i', { cpu: '4' })],
      containers: [app('a')],
      resources: { requests: { cpu: '1', 'hugepages-2Mi': '4Mi', 'example.com/gpu': '1' } },
      overhead: { cpu: '100m' },
    }),
    { cpu: 1100, 'hugepages-2Mi': 4 * MI },
  ],
  [
    'a resize under way counts the larger of what is asked and what is held',
    pod(
      { containers: [app('a', { cpu: '900m', memory: '1Gi' })] },
      {
        containerStatuses: [
          {
            name: 'a',
            resources: { requests: { cpu: '500m', memory: '2Gi' } },
            allocatedResources: { cpu: '600m' },
          },
        ],
      },
    ),
    { cpu: 900, memory: 2048 * MI },
  ],
  [
    'an infeasible resize counts what is held, not what is asked',
    pod(
      { containers: [app('a', { cpu: '9' })] },
      {
        conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }],
        containerStatuses: [
          { name: 'a', resources: { requests: { cpu: '500m' } }, allocatedResources: { cpu: '600m' } },
        ],
      },
    ),
    { cpu: 600 },
  ],
  [
    'a resized sidecar counts by its init container status',
    pod(
      { initContainers: [sidecar('s', { cpu: '100m' })], containers: [app('a', { cpu: '1' })] },
      { initContainerStatuses: [{ name: 's', resources: { requests: { cpu: '700m' } } }] },
    ),
    { cpu: 1700 },
  ],
  [
    'a pod-level resize counts the largest of spec, allocated and actual',
    pod(
      { containers: [app('a')], resources: { requests: { cpu: '1', memory: '1Gi' } } },
      { allocatedResources: { cpu: '2' }, resources: { requests: { memory: '3Gi' } } },
    ),
    { cpu: 2000, memory: 3072 * MI },
  ],
  [
    'amounts beyond 2^53 stay exact',
    pod({ containers: [app('a', { memory: '9007199254740993' }), app('b', { memory: '1' })] }),
    { memory: 9007199254740994n },
  ],
];

describe('podAmounts', () => {
  for (const [sentence, of, expected] of REQUEST_ROWS) {
    it(sentence, () => {
      expect(requestsOf(of)).to.deep.equal(expected);
    });
  }

  it('a quantity that is none, or negative, is missing with a reason; the others stand', () => {
    const { requests, problems } = podAmounts(
      pod({ containers: [app('a', { cpu: '1K', memory: '1Gi' }), app('b', { cpu: '-1', memory: '1KB' })] }),
    );
    expect(Object.fromEntries(requests)).to.deep.equal({ memory: 1024 * MI });
    expect(problems).to.deep.equal([
      {
        path: 'spec.containers[a].resources.requests.cpu',
        text: '"1K" has an unknown suffix: did you mean "k"?',
      },
      {
        path: 'spec.containers[b].resources.requests.cpu',
        text: '"-1" is negative; amounts are 0 or more',
      },
      {
        path: 'spec.containers[b].resources.requests.memory',
        text: '"1KB" has an unknown suffix: did you mean "k"?',
      },
    ]);
  });

  describe('with defaults for scoring', () => {
    /** Sentence, pod, CPU and memory of a pod on a node, the same as the strategies see the pending pod. */
    const rows: readonly (readonly [string, Pod, readonly [number, number], readonly [number, number]])[] = [
      [
        'each container that states nothing counts 100m and 200Mi',
        pod({ containers: [app('a'), app('b')] }),
        [200, 400],
        [200, 400],
      ],
      [
        'the default is filled in for the missing resource alone',
        pod({ containers: [app('a', { cpu: '1' })] }),
        [1000, 200],
        [1000, 200],
      ],
      [
        'an explicit zero stays zero',
        pod({ containers: [app('a', { cpu: '0', memory: '0' })] }),
        [0, 0],
        [0, 0],
      ],
      [
        'sidecars and init containers are filled in too',
        pod({ initContainers: [sidecar('s'), app('i', { cpu: '50m' })], containers: [app('a')] }),
        [200, 400],
        [200, 400],
      ],
      [
        'pod-level requests count on the node, not for the strategies',
        pod({ containers: [app('a', { cpu: '1', memory: '1Mi' })], resources: { requests: { cpu: '3' } } }),
        [3000, 1],
        [1000, 1],
      ],
      [
        'with pod-level CPU a default is taken for memory that nothing asks for',
        pod({ containers: [app('a'), app('b')], resources: { requests: { cpu: '3' } } }),
        [3000, 400],
        [200, 400],
      ],
    ];
    for (const [sentence, of, [cpuMilli, memoryMi], [scoredCpu, scoredMemoryMi]] of rows) {
      it(sentence, () => {
        const { nonZeroCpuMilli, nonZeroMemoryBytes } = podAmounts(of);
        const scored = scoredRequests(of);
        expect([nonZeroCpuMilli, nonZeroMemoryBytes]).to.deep.equal([cpuMilli, memoryMi * MI]);
        expect([scored.get('cpu'), scored.get('memory')]).to.deep.equal([scoredCpu, scoredMemoryMi * MI]);
      });
    }
  });

  describe('the demand that load is predicted from', () => {
    it('lists containers and sidecars, leaves other init containers out, keeps overhead apart', () => {
      const { cpuDemand } = podAmounts(
        pod({
          initContainers: [app('i', { cpu: '4' }), sidecar('s', { cpu: '50m' })],
          containers: [app('a', { cpu: '100m' }, { cpu: '200m' }), app('b')],
          overhead: { cpu: '30m' },
        }),
      );
      expect(cpuDemand).to.deep.equal({
        parts: [
          { limitMilli: 200, requestMilli: 100 },
          { limitMilli: undefined, requestMilli: undefined },
          { limitMilli: undefined, requestMilli: 50 },
        ],
        overheadMilli: 30,
      });
    });

    it('is the pod-level limit or request where one is stated', () => {
      const { cpuDemand } = podAmounts(
        pod({
          containers: [app('a', { cpu: '100m' })],
          resources: { requests: { cpu: '500m' }, limits: { cpu: '2' } },
        }),
      );
      expect(cpuDemand.parts).to.deep.equal([{ limitMilli: 2000, requestMilli: 500 }]);
    });
  });
});
