import type { Node, NodeAffinity, Pod, ResourceAmounts, Taint, WatcherDocument } from '@catamaran/model';
import { expect } from 'chai';
import fc from 'fast-check';
import { readNode } from '../objects/read-object.js';
import { ClusterState } from './cluster-state.js';
import type { NodeInfo } from './node-info.js';
import { podInfo, preparePod } from './pod-info.js';
import type { SignalReading } from './signal-store.js';
import type { Snapshot } from './snapshot.js';

export const NOW_MS = Date.UTC(2026, 10, 30, 12);
const END_UNIX_SECONDS = NOW_MS / 1000 - 60;

export type ClusterEvent =
  | { readonly kind: 'node'; readonly node: Node }
  | { readonly kind: 'node-gone'; readonly name: string }
  | { readonly kind: 'pod'; readonly pod: Pod }
  | { readonly kind: 'pod-gone'; readonly pod: Pod }
  | { readonly kind: 'assume'; readonly pod: Pod; readonly nodeName: string; readonly nowMs: number }
  | { readonly kind: 'forget'; readonly pod: Pod }
  | { readonly kind: 'namespace'; readonly name: string; readonly tier: string }
  | { readonly kind: 'load'; readonly document: WatcherDocument }
  | { readonly kind: 'signals'; readonly readings: readonly SignalReading[] };

/** Mostly nothing. */
function onceIn<T>(times: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const nodeName = fc.constantFrom('n0', 'n1', 'n2', 'n3', 'n4', 'n5');
const namespace = fc.constantFrom('x', 'y');
const app = fc.constantFrom('a', 'b');
/** Beyond 2^53 too, where only 64-bit arithmetic tells a difference. */
const memory = fc.constantFrom('0', '64Mi', '1Gi', '3Gi', '9007199254740993', '4Ei');
const cpu = fc.constantFrom('0', '100m', '250m', '1', '3', '7');

const taints = fc.subarray<Taint>([
  { key: 'dedicated', value: 'x', effect: 'NoSchedule' },
  { key: 'soft', effect: 'PreferNoSchedule' },
  { key: 'softer', effect: 'PreferNoSchedule' },
]);

const node: fc.Arbitrary<Node> = fc
  .record({
    name: nodeName,
    createdAgo: fc.constantFrom(undefined, 9000, 30),
    zone: fc.constantFrom('east', 'west', undefined),
    taints,
    unschedulable: fc.boolean(),
    cpu: fc.constantFrom('0', '2', '4', '8'),
    memory: fc.constantFrom('4Gi', '8Gi', '4611686018427387904'),
    pods: fc.constantFrom('3', '110'),
    extended: fc.boolean(),
  })
  .map(
    ({
      name,
      createdAgo,
      zone,
      taints: nodeTaints,
      unschedulable,
      cpu: cores,
      memory: bytes,
      pods,
      extended,
    }) => ({
      metadata: {
        name,
        ...(createdAgo === undefined ? {} : { creationTimestamp: timeAgo(createdAgo) }),
        labels: { 'kubernetes.io/hostname': name, ...(zone === undefined ? {} : { zone }) },
      },
      spec: { taints: nodeTaints, unschedulable: unschedulable && nodeTaints.length === 0 },
      status: {
        capacity: { cpu: cores, memory: bytes },
        allocatable: { cpu: cores, memory: bytes, pods, ...(extended ? { 'example.com/gpu': '2' } : {}) },
      },
    }),
  );

const spec: fc.Arbitrary<Pod['spec']> = fc
  .record({
    cpu: fc.option(cpu, { nil: undefined }),
    memory: fc.option(memory, { nil: undefined }),
    gpu: fc.boolean(),
    limit: fc.option(cpu, { nil: undefined }),
    port: onceIn(4, fc.constantFrom(80, 443)),
    tolerated: fc.subarray(['dedicated', 'soft']),
    selector: onceIn(4, fc.constantFrom('east', 'west')),
    preferred: fc.option(fc.constantFrom('east', 'west'), { nil: undefined }),
    named: onceIn(8, fc.subarray(['n0', 'n1', 'n9'], { minLength: 1 })),
    priority: fc.constantFrom(0, 0, 10),
  })
  .map((shape) => ({
    priority: shape.priority,
    tolerations: shape.tolerated.map((key) => ({ key, operator: 'Exists' })),
    ...(shape.selector === undefined ? {} : { nodeSelector: { zone: shape.selector } }),
    affinity: { nodeAffinity: { ...preferring(shape.preferred), ...naming(shape.named) } },
    containers: [
      {
        name: 'c',
        resources: {
          requests: {
            ...(shape.cpu === undefined ? {} : { cpu: shape.cpu }),
            ...(shape.memory === undefined ? {} : { memory: shape.memory }),
            ...(shape.gpu ? { 'example.com/gpu': '1' } : {}),
          },
          ...(shape.limit === undefined ? {} : { limits: { cpu: shape.limit } }),
        },
        ports: shape.port === undefined ? [] : [{ containerPort: 1, hostPort: shape.port }],
      },
    ],
  }));

function naming(names: readonly string[] | undefined): NodeAffinity {
  if (names === undefined) return {};
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: names }];
  return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } };
}

function preferring(zone: string | undefined): NodeAffinity {
  if (zone === undefined) return {};
  const preference = { matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] };
  return { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, preference }] };
}

/** A pod that is on no node and asks for nothing that is refused. */
export const pendingPod: fc.Arbitrary<Pod> = fc
  .record({
    id: fc.nat(11),
    namespace,
    app,
    spec,
    nominated: onceIn(8, nodeName),
  })
  .map(({ id, namespace: space, app: label, spec: wanted, nominated }) => ({
    metadata: { name: `p${id}`, namespace: space, uid: `u${id}`, labels: { app: label } },
    spec: wanted,
    ...(nominated === undefined ? {} : { status: { nominatedNodeName: nominated } }),
  }));

const repelled = onceIn(
  3,
  fc.record({ app, key: fc.constantFrom('zone', 'kubernetes.io/hostname'), anywhere: fc.boolean() }),
);

/** A pod on a node, with required anti-affinity now and then. */
const placedPod: fc.Arbitrary<Pod> = fc
  .record({
    pod: pendingPod,
    nodeName,
    repelled,
    secondsAgo: fc.constantFrom(0, 59, 60, 61, 119, 120, 121, 9000),
    phase: fc.constantFrom('Running', 'Running', 'Running', 'Succeeded'),
  })
  .map(({ pod, nodeName: name, repelled: from, secondsAgo, phase }) => ({
    ...pod,
    spec: {
      ...pod.spec,
      nodeName: name,
      ...(from === undefined ? {} : { affinity: { podAntiAffinity: repelling(from) } }),
    },
    status: {
      phase,
      conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: timeAgo(secondsAgo) }],
    },
  }));

function repelling(from: {
  readonly app: string;
  readonly key: string;
  readonly anywhere: boolean;
}): NonNullable<NonNullable<Pod['spec']['affinity']>['podAntiAffinity']> {
  const term = { topologyKey: from.key, labelSelector: { matchLabels: { app: from.app } } };
  const namespaces = from.anywhere ? { namespaceSelector: { matchLabels: { tier: 'one' } } } : {};
  return { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, ...namespaces }] };
}

function timeAgo(seconds: number): string {
  return new Date(NOW_MS - seconds * 1000).toISOString();
}

const document: fc.Arbitrary<WatcherDocument> = fc
  .record({
    values: fc.array(fc.tuple(nodeName, fc.constantFrom(0, 12.5, 39.9, 40, 41, 80, 100, 120)), {
      maxLength: 6,
    }),
    endShift: fc.constantFrom(0, 30),
  })
  .map(({ values, endShift }) => ({
    timestampUnixSeconds: END_UNIX_SECONDS + 1,
    window: {
      duration: '15m',
      startUnixSeconds: END_UNIX_SECONDS - 900,
      endUnixSeconds: END_UNIX_SECONDS + endShift,
    },
    source: 'Prometheus',
    nodes: new Map(
      values.map(([name, value]) => [
        name,
        [{ name: '', type: 'CPU', operator: 'AVG', rollup: '15m', value }],
      ]),
    ),
  }));

/** Both signals of one source are read together. */
const readings: fc.Arbitrary<readonly SignalReading[]> = fc
  .record({
    values: fc.array(fc.tuple(nodeName, fc.constantFrom(0, 0.5, 12, 80, 1e9)), { maxLength: 6 }),
    others: fc.array(fc.tuple(nodeName, fc.constantFrom(0, 33)), { maxLength: 3 }),
    readAgo: fc.constantFrom(0, 60),
  })
  .map(({ values, others, readAgo }) => {
    const readMs = NOW_MS - readAgo * 1000;
    const absences = new Map<string, string>();
    return [
      { key: 'one', readMs, values: new Map(values), absences },
      { key: 'two', readMs, values: new Map(others), absences },
    ];
  });

/** What a field of a damaged object holds. */
const junk = fc.constantFrom<unknown>(null, 'x', 7, [], {}, [null], [7]);

/** Some can't be used at all, some only in part, some are whole. */
const damagedNode: fc.Arbitrary<Node> = fc
  .record({ value: node, part: fc.constantFrom('labels', 'spec', 'taints', 'status', 'allocatable'), junk })
  .map(({ value, part, junk: found }) => {
    if (part === 'labels') return { ...value, metadata: { ...value.metadata, labels: found } } as Node;
    if (part === 'taints') return { ...value, spec: { ...value.spec, taints: found } } as Node;
    if (part === 'allocatable') return { ...value, status: { ...value.status, allocatable: found } } as Node;
    return { ...value, [part]: found };
  });

const damagedPod: fc.Arbitrary<Pod> = fc
  .record({
    value: fc.oneof(placedPod, pendingPod),
    part: fc.constantFrom(
      'containers',
      'nodeName',
      'affinity',
      'tolerations',
      'priority',
      'status',
      'labels',
    ),
    junk,
  })
  .map(({ value, part, junk: found }) => {
    if (part === 'status') return { ...value, status: found } as Pod;
    if (part === 'labels') return { ...value, metadata: { ...value.metadata, labels: found } } as Pod;
    return { ...value, spec: { ...value.spec, [part]: found } };
  });

export const clusterEvent: fc.Arbitrary<ClusterEvent> = fc.oneof(
  { weight: 1, arbitrary: damagedNode.map((value) => ({ kind: 'node' as const, node: value })) },
  { weight: 1, arbitrary: damagedPod.map((pod) => ({ kind: 'pod' as const, pod })) },
  { weight: 6, arbitrary: node.map((value) => ({ kind: 'node' as const, node: value })) },
  { weight: 1, arbitrary: nodeName.map((name) => ({ kind: 'node-gone' as const, name })) },
  { weight: 6, arbitrary: placedPod.map((pod) => ({ kind: 'pod' as const, pod })) },
  { weight: 2, arbitrary: pendingPod.map((pod) => ({ kind: 'pod' as const, pod })) },
  { weight: 2, arbitrary: pendingPod.map((pod) => ({ kind: 'pod-gone' as const, pod })) },
  {
    weight: 3,
    arbitrary: fc
      .record({ pod: pendingPod, nodeName, nowMs: fc.constantFrom(NOW_MS, NOW_MS - 90_000) })
      .map((assumed) => ({ kind: 'assume' as const, ...assumed })),
  },
  { weight: 1, arbitrary: pendingPod.map((pod) => ({ kind: 'forget' as const, pod })) },
  {
    weight: 1,
    arbitrary: fc
      .record({ name: namespace, tier: fc.constantFrom('one', 'two') })
      .map((labels) => ({ kind: 'namespace' as const, ...labels })),
  },
  { weight: 2, arbitrary: document.map((value) => ({ kind: 'load' as const, document: value })) },
  { weight: 2, arbitrary: readings.map((value) => ({ kind: 'signals' as const, readings: value })) },
);

export function applyEvent(state: ClusterState, event: ClusterEvent): void {
  switch (event.kind) {
    case 'node':
      state.upsertNode(event.node);
      return;
    case 'node-gone':
      state.removeNode(event.name);
      return;
    case 'pod':
      state.upsertPod(event.pod);
      return;
    case 'pod-gone':
      state.removePod(event.pod);
      return;
    case 'assume':
      state.assume(podInfo(event.pod), event.nodeName, event.nowMs);
      return;
    case 'forget':
      state.forget(podInfo(event.pod).uid);
      return;
    case 'namespace':
      state.upsertNamespace({ metadata: { name: event.name, labels: { tier: event.tier } } });
      return;
    case 'load':
      state.setUtilization(event.document);
      return;
    case 'signals':
      state.setSignals(event.readings);
      return;
  }
}

/** The last word on every object: what a scheduler that starts now would be told. */
class LastWords {
  readonly #nodes = new Map<string, ClusterEvent>();
  readonly #pods = new Map<string, ClusterEvent>();
  readonly #namespaces = new Map<string, ClusterEvent>();
  #load: ClusterEvent | undefined = undefined;
  #signals: ClusterEvent | undefined = undefined;

  hear(event: ClusterEvent): void {
    if (event.kind === 'node' && !readNode(event.node).ok) this.#nodes.delete(event.node.metadata.name);
    else if (event.kind === 'node') this.#nodes.set(event.node.metadata.name, event);
    else if (event.kind === 'node-gone') this.#nodes.delete(event.name);
    else if (event.kind === 'namespace') this.#namespaces.set(event.name, event);
    else if (event.kind === 'load') this.#load = event;
    else if (event.kind === 'signals') this.#signals = event;
    else this.#hearOfPod(event, event.pod);
  }

  /** Events in another order: nodes last, so that pods come before their nodes. */
  all(): readonly ClusterEvent[] {
    const load = [this.#load, this.#signals].filter((event) => event !== undefined);
    return [...load, ...this.#pods.values(), ...this.#namespaces.values(), ...this.#nodes.values()];
  }

  #hearOfPod(event: ClusterEvent, raw: Pod): void {
    const prepared = preparePod(raw);
    if (!prepared.ok) return;
    const { uid, pod } = prepared.info;
    const known = this.#pods.get(uid);
    const isPlaced = known !== undefined && (known.kind === 'assume' || isAssigned(known));
    const gone = event.kind === 'pod-gone' || pod.status?.phase === 'Succeeded';
    if (gone) this.#pods.delete(uid);
    else if (event.kind === 'forget') {
      if (known?.kind === 'assume') this.#pods.set(uid, { kind: 'pod', pod: known.pod });
    } else if (event.kind === 'assume' || isAssigned(event) || !isPlaced) this.#pods.set(uid, event);
  }
}

function isAssigned(event: ClusterEvent): boolean {
  return event.kind === 'pod' && (event.pod.spec.nodeName ?? '') !== '';
}

function nodeText(info: NodeInfo): unknown {
  const {
    node: _node,
    problems: _problems,
    pods,
    nominated,
    loads,
    requested,
    allocatable,
    usedPorts,
    ...rest
  } = info;
  return {
    ...rest,
    requested: { ...requested, others: amountsText(requested.others) },
    allocatable: { ...allocatable, others: amountsText(allocatable.others) },
    usedPorts: usedPorts.map(({ port, protocol, ip }) => `${protocol} ${ip} ${port}`).sort(),
    pods: pods.map((pod) => [pod.info.uid, pod.assignedUnixSeconds]),
    nominated: nominated.map(({ uid }) => uid),
    loads: loads.map((load) => load?.cpuPercent),
  };
}

function amountsText(amounts: ResourceAmounts): readonly string[] {
  return [...amounts].flatMap(([name, amount]) => (amount === 0 ? [] : [`${name}=${amount}`])).sort();
}

function snapshotText(snapshot: Snapshot): unknown {
  const probes = ['a', 'b'].flatMap((label) => ['x', 'y'].map((space) => [space, label] as const));
  return {
    nodes: [...snapshot.nodes()].map(nodeText),
    slots: [...snapshot.nodes()].map(({ name }) => snapshot.slotOf(name)),
    promised: snapshot.promisedSlots.toSorted((a, b) => a - b),
    load: snapshot.load('default'),
    signals: [snapshot.signal('one'), snapshot.signal('two')],
    forbidden: probes.map(([space, label]) =>
      snapshot.antiAffinity
        .matching({ namespace: space, labels: { app: label } }, snapshot.namespaceLabels(space))
        .map(({ term, values }) => `${term.signature} ${[...values].sort().join()}`)
        .sort(),
    ),
  };
}

describe('ClusterState', () => {
  it('after any events, snapshots taken in between or not, is what a fresh start would give', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(clusterEvent, fc.boolean()), { maxLength: 60 }), (events) => {
        const state = new ClusterState();
        const words = new LastWords();
        for (const [event, look] of events) {
          applyEvent(state, event);
          words.hear(event);
          if (look) state.snapshot(NOW_MS);
        }
        const fresh = new ClusterState();
        for (const event of words.all()) applyEvent(fresh, event);
        expect(snapshotText(state.snapshot(NOW_MS))).to.deep.equal(snapshotText(fresh.snapshot(NOW_MS)));
      }),
      { numRuns: 150 },
    );
  });

  it('a snapshot does not change, whatever comes after it', () => {
    fc.assert(
      fc.property(
        fc.array(clusterEvent, { maxLength: 40 }),
        fc.array(clusterEvent, { maxLength: 20 }),
        (a, b) => {
          const state = new ClusterState();
          for (const event of a) applyEvent(state, event);
          const snapshot = state.snapshot(NOW_MS);
          const before = snapshotText(snapshot);
          for (const event of b) {
            applyEvent(state, event);
            state.snapshot(NOW_MS);
          }
          expect(snapshotText(snapshot)).to.deep.equal(before);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('names every slot that changed since a version, or says that it can not tell', () => {
    fc.assert(
      fc.property(
        fc.array(clusterEvent, { maxLength: 40 }),
        fc.array(clusterEvent, { maxLength: 6 }),
        (a, b) => {
          const state = new ClusterState();
          for (const event of a) applyEvent(state, event);
          const before = state.snapshot(NOW_MS);
          for (const event of b) applyEvent(state, event);
          const after = state.snapshot(NOW_MS);
          const changed = after.changedSince(before.version);
          if (changed === undefined) return;
          [...after.nodes()].forEach((info, slot) => {
            if (info !== before.nodeAt(slot)) expect(changed).to.include(slot);
          });
        },
      ),
      { numRuns: 100 },
    );
  });
});
