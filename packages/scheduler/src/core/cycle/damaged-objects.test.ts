import type { Node, Pod } from '@catamaran/model';
import { expect } from 'chai';
import fc from 'fast-check';
import { expandPlugins } from '../config/plugin-set.js';
import { NOW_MS } from '../state/cluster-events.test.js';
import { ClusterState } from '../state/cluster-state.js';
import { podInfo, preparePod } from '../state/pod-info.js';
import { decide } from './decide.js';
import { evaluate } from './evaluate.js';
import { compileProfile } from './profile.js';

const VICTIM = 'n1';
const NODES = ['n0', VICTIM, 'n2', 'n3'];

/** Uses every field that is read. */
const fullNode = (name: string): Node => ({
  metadata: {
    name,
    uid: name,
    labels: { zone: 'east', disk: 'ssd' },
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: {
    unschedulable: false,
    taints: [{ key: 'soft', value: 'x', effect: 'PreferNoSchedule' }],
    providerID: 'x',
  },
  status: {
    capacity: { cpu: '4', memory: '8Gi' },
    allocatable: { cpu: '4', memory: '8Gi', pods: '10', 'example.com/gpu': '2' },
    addresses: [{ type: 'Hostname', address: name }],
    conditions: [{ type: 'Ready', status: 'True' }],
    images: [{ names: ['app:1'], sizeBytes: 5 }],
  },
});

const required = { key: 'zone', operator: 'In', values: ['east'] };
const fullPod: Pod = {
  metadata: { name: 'p', namespace: 'x', uid: 'u', generation: 2, labels: { app: 'a' } },
  spec: {
    schedulerName: 'test',
    priority: 5,
    nodeSelector: { zone: 'east' },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [required],
              matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n9'] }],
            },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 5, preference: { matchExpressions: [required] } },
        ],
      },
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 1,
            podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'a' } } },
          },
        ],
      },
    },
    tolerations: [{ key: 'soft', operator: 'Exists', effect: 'PreferNoSchedule' }],
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
    containers: [
      {
        name: 'c',
        image: 'app:1',
        resources: { requests: { cpu: '100m', memory: '1Gi' }, limits: { cpu: '200m' } },
        ports: [{ containerPort: 1, hostPort: 80, protocol: 'TCP', hostIP: '' }],
      },
    ],
    initContainers: [{ name: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '50m' } } }],
    overhead: { cpu: '10m' },
    resources: { requests: { memory: '2Gi' } },
    volumes: [{ name: 'v', emptyDir: {} }],
  },
  status: {
    phase: 'Pending',
    startTime: '2026-11-30T08:00:00Z',
    conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-11-30T08:00:00Z' }],
    containerStatuses: [
      { name: 'c', allocatedResources: { cpu: '150m' }, resources: { requests: { cpu: '150m' } } },
    ],
  },
};

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...at, key]))];
}

/** The object with one part replaced, or gone where the part is undefined. */
function damaged(value: unknown, [key, ...rest]: Path, part: unknown): unknown {
  if (key === undefined) return part;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      index === Number(key) ? (damaged(item, rest, part) ?? []) : [item],
    );
  }
  const copy: Record<string, unknown> = { ...(value as object) };
  const member = damaged(copy[key], rest, part);
  if (member === undefined) delete copy[key];
  else copy[key] = member;
  return copy;
}

const junk = fc.oneof(
  fc.constantFrom(null, undefined, 0, -1, 1e300, '', 'x', true, [], {}, [null], { '': null }, [[]], [{}]),
  fc.jsonValue({ maxDepth: 2 }),
);

const profile = () =>
  compileProfile({
    schedulerName: 'test',
    percentageOfNodesToScore: undefined,
    plugins: expandPlugins({ score: { enabled: [{ name: 'TargetLoadPacking', weight: 5 }], disabled: [] } }),
    pluginArgs: {},
  });

/** What each of the other nodes is told, for a pod that asks for much of what the victim has. */
function verdicts(state: ClusterState): Readonly<Record<string, string>> {
  const compiled = profile();
  const asked = podInfo({ ...fullPod, metadata: { ...fullPod.metadata, uid: 'asked' }, status: {} });
  const cycle = { pod: asked, snapshot: state.snapshot(NOW_MS) };
  const evaluation = evaluate(cycle, compiled, 1);
  expect(decide(cycle, compiled, 1)).to.deep.equal(evaluation.decision);
  return Object.fromEntries(
    NODES.filter((name) => name !== VICTIM).map((name) => {
      const refused = evaluation.rejected.find(({ node }) => node === name);
      return [
        name,
        refused === undefined
          ? 'feasible'
          : `${refused.rejection.plugin} ${refused.rejection.reasons.join()}`,
      ];
    }),
  );
}

function clusterWith(nodes: readonly unknown[], pods: readonly unknown[]): ClusterState {
  const state = new ClusterState();
  for (const node of nodes) state.upsertNode(node as Node);
  for (const pod of pods) state.upsertPod(pod as Pod);
  return state;
}

const whole = () => NODES.map(fullNode);
const placed = (nodeName: string) => ({ ...fullPod, spec: { ...fullPod.spec, nodeName } });

describe('whatever becomes of an object', () => {
  const expected = verdicts(clusterWith(whole(), [placed(VICTIM)]));

  it('damage to any field of a node throws nothing and changes nothing for the others', () => {
    const paths = pathsOf(fullNode(VICTIM)).filter((path) => path.join('.') !== 'metadata.name');
    fc.assert(
      fc.property(fc.constantFrom(...paths), junk, (path, part) => {
        const broken = damaged(fullNode(VICTIM), path, part);
        const nodes = whole().map((node) => (node.metadata.name === VICTIM ? broken : node));
        const state = clusterWith(nodes, [placed(VICTIM)]);
        expect(verdicts(state)).to.deep.equal(expected);
        // A node that was whole before is no better.
        const later = clusterWith([...whole(), broken], [placed(VICTIM)]);
        expect(verdicts(later)).to.deep.equal(expected);
      }),
      { numRuns: 400 },
    );
  });

  it('damage to any field of a pod that is placed throws nothing and changes nothing for other nodes', () => {
    const paths = pathsOf(placed(VICTIM)).filter((path) => path.join('.') !== 'spec.nodeName');
    fc.assert(
      fc.property(fc.constantFrom(...paths), junk, (path, part) => {
        const broken = damaged(placed(VICTIM), path, part);
        fc.pre(!isOnAnotherNode(broken));
        expect(verdicts(clusterWith(whole(), [broken]))).to.deep.equal(expected);
        expect(verdicts(clusterWith(whole(), [placed(VICTIM), broken]))).to.deep.equal(expected);
      }),
      { numRuns: 400 },
    );
  });

  it('a pending pod with a field of the wrong type is refused by name, or not taken at all', () => {
    const paths = pathsOf(fullPod).filter(([part]) => part === 'spec');
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.constantFrom(true, 7, 'x', [7], { x: 7 }), (path, part) => {
        const prepared = preparePod(damaged(fullPod, path, part));
        if (!prepared.ok || prepared.info.damage.length === 0) return;
        const cycle = { pod: prepared.info, snapshot: clusterWith(whole(), []).snapshot(NOW_MS) };
        const decision = decide(cycle, profile(), 1);
        expect(decision).to.deep.include({ kind: 'error' });
        expect(decision.kind === 'error' && decision.refusedFeature).to.match(/^malformed field spec/);
      }),
      { numRuns: 300 },
    );
  });

  it('a pending pod with an amount that is none is refused by name', () => {
    const paths = pathsOf(fullPod).filter(([part, ...rest]) => {
      const parent = rest.at(-2);
      return part === 'spec' && ['requests', 'limits', 'overhead'].includes(String(parent));
    });
    expect(paths.map((path) => path.join('.'))).to.include.members([
      'spec.containers.0.resources.requests.cpu',
      'spec.initContainers.0.resources.requests.cpu',
      'spec.resources.requests.memory',
      'spec.overhead.cpu',
    ]);
    for (const path of paths) {
      for (const text of ['abc', '-1', '10x', '', '1 Gi', '1,5']) {
        const pod = podInfo(damaged(fullPod, path, text) as Pod);
        const cycle = { pod, snapshot: clusterWith(whole(), []).snapshot(NOW_MS) };
        const decision = decide(cycle, profile(), 1);
        expect(decision.kind === 'error' && decision.refusedFeature, `${path.join('.')} ${text}`).to.match(
          new RegExp(`^malformed field spec\\..*${String(path.at(-1))}: `),
        );
      }
    }
  });

  it('an amount of its status that is none does not keep a pending pod from its node', () => {
    const path = ['status', 'containerStatuses', 0, 'allocatedResources', 'cpu'];
    const pod = podInfo(damaged(fullPod, path, 'abc') as Pod);
    const cycle = { pod, snapshot: clusterWith(whole(), []).snapshot(NOW_MS) };
    expect(decide(cycle, profile(), 1)).to.deep.include({ kind: 'placed' });
  });

  it('damage to any field of a pending pod throws nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pathsOf(fullPod)), junk, (path, part) => {
        const prepared = preparePod(damaged(fullPod, path, part));
        if (!prepared.ok) return;
        const cycle = { pod: prepared.info, snapshot: clusterWith(whole(), []).snapshot(NOW_MS) };
        const compiled = profile();
        expect(decide(cycle, compiled, 1)).to.deep.equal(evaluate(cycle, compiled, 1).decision);
      }),
      { numRuns: 400 },
    );
  });
});

function isOnAnotherNode(raw: unknown): boolean {
  const prepared = preparePod(raw);
  const nodeName = prepared.ok ? (prepared.info.pod.spec.nodeName ?? VICTIM) : VICTIM;
  return nodeName !== VICTIM;
}
