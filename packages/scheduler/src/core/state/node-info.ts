import {
  addInt64,
  type Int64,
  LOAD_CEILING_ANNOTATION,
  type Node,
  type QuantityProblem,
  readAmounts,
  type Taint,
} from '@catamaran/model';
import { type Labels, NO_LABELS } from '../selectors/label-requirement.js';
import type { HostPort } from './host-port.js';
import { addNodeAmounts, type NodeAmounts, toNodeAmounts, ZERO_AMOUNTS } from './node-amounts.js';
import type { NodeLoad } from './node-load.js';
import type { PodInfo } from './pod-info.js';
import type { NodeSignals } from './signal-store.js';

/** What the Node object itself says, worked out once per change. Immutable. */
export interface NodeFacts {
  readonly node: Node;
  readonly name: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  readonly allocatable: NodeAmounts;
  /** 0 when the node does not say: such a node takes no pod. */
  readonly allocatablePods: Int64;
  readonly capacityCpuMilli: Int64;
  readonly problems: readonly QuantityProblem[];
  /** Equal while nothing that scheduling looks at changes; heartbeats leave it alone. */
  readonly fingerprint: string;
}

export interface AssignedPod {
  readonly info: PodInfo;
  /** Whole Unix seconds; 0 where nothing tells. */
  readonly assignedUnixSeconds: number;
}

/** One node at one moment, with the pods that hold something there (assumed ones too). Immutable. */
export interface NodeInfo extends NodeFacts {
  /** In order of assignment, ties by uid: those the metrics can't show yet are at the end. */
  readonly pods: readonly AssignedPod[];
  readonly requested: NodeAmounts;
  readonly nonZeroCpuMilli: Int64;
  readonly nonZeroMemoryBytes: Int64;
  readonly usedPorts: readonly HostPort[];
  /** Pending pods that preemption has promised this node to. */
  readonly nominated: readonly PodInfo[];
  /** By load source, in the order in which the cluster state knows the sources. */
  readonly loads: readonly (NodeLoad | undefined)[];
  /** By signal: see `SignalView.index`. */
  readonly signals: NodeSignals;
}

export function nodeFacts(node: Node): NodeFacts {
  const problems: QuantityProblem[] = [];
  const allocatable = readAmounts(node.status?.allocatable, 'status.allocatable', problems);
  const capacity = readAmounts(node.status?.capacity, 'status.capacity', problems);
  const taints = node.spec?.taints ?? [];
  return {
    node,
    name: node.metadata.name,
    labels: node.metadata.labels ?? NO_LABELS,
    taints,
    unschedulable: node.spec?.unschedulable === true,
    allocatable: toNodeAmounts(allocatable),
    allocatablePods: allocatable.get('pods') ?? 0,
    capacityCpuMilli: capacity.get('cpu') ?? 0,
    problems,
    fingerprint: JSON.stringify([
      node.metadata.creationTimestamp,
      node.metadata.annotations?.[LOAD_CEILING_ANNOTATION],
      node.metadata.labels,
      taints.map(({ key, value, effect }) => [key, value, effect]),
      node.spec?.unschedulable,
      node.status?.allocatable,
      node.status?.capacity,
    ]),
  };
}

const NO_PODS: readonly AssignedPod[] = [];
const NO_NOMINATED: readonly PodInfo[] = [];
const NO_USED_PORTS: readonly HostPort[] = [];

/** What a NodeInfo adds to the facts. */
type Content = Omit<NodeInfo, keyof NodeFacts>;

/** Written out, so that all node infos have one shape: reading them is the hot path of every decision. */
function nodeInfo(facts: NodeFacts, content: Content): NodeInfo {
  return {
    node: facts.node,
    name: facts.name,
    labels: facts.labels,
    taints: facts.taints,
    unschedulable: facts.unschedulable,
    allocatable: facts.allocatable,
    allocatablePods: facts.allocatablePods,
    capacityCpuMilli: facts.capacityCpuMilli,
    problems: facts.problems,
    fingerprint: facts.fingerprint,
    pods: content.pods,
    requested: content.requested,
    nonZeroCpuMilli: content.nonZeroCpuMilli,
    nonZeroMemoryBytes: content.nonZeroMemoryBytes,
    usedPorts: content.usedPorts,
    nominated: content.nominated,
    loads: content.loads,
    signals: content.signals,
  };
}

export function emptyNodeInfo(
  facts: NodeFacts,
  loads: readonly (NodeLoad | undefined)[],
  signals: NodeSignals,
): NodeInfo {
  return nodeInfo(facts, {
    pods: NO_PODS,
    requested: ZERO_AMOUNTS,
    nonZeroCpuMilli: 0,
    nonZeroMemoryBytes: 0,
    usedPorts: NO_USED_PORTS,
    nominated: NO_NOMINATED,
    loads,
    signals,
  });
}

export function withLoads(info: NodeInfo, loads: readonly (NodeLoad | undefined)[]): NodeInfo {
  return nodeInfo(info, { ...info, loads });
}

export function withSignals(info: NodeInfo, signals: NodeSignals): NodeInfo {
  return nodeInfo(info, { ...info, signals });
}

export function withNominated(info: NodeInfo, nominated: readonly PodInfo[]): NodeInfo {
  return nodeInfo(info, { ...info, nominated });
}

/** The same node with one pod more. Cost: a copy of the list of its pods. */
export function withPod(info: NodeInfo, added: AssignedPod): NodeInfo {
  const pods = [...info.pods];
  const after = pods.findLastIndex((pod) => compareAssigned(pod, added) <= 0);
  pods.splice(after + 1, 0, added);
  const { nominated, loads, signals } = info;
  return nodeInfo(info, { pods, nominated, loads, signals, ...totalsWith(info, added.info) });
}

/** The node as filters must see it while `promised` pods are not there yet: their amounts and ports are taken. */
export function withPromised(info: NodeInfo, promised: readonly PodInfo[]): NodeInfo {
  return promised.reduce((node, pod) => withPod(node, { info: pod, assignedUnixSeconds: 0 }), info);
}

type Totals = Pick<NodeInfo, 'requested' | 'nonZeroCpuMilli' | 'nonZeroMemoryBytes' | 'usedPorts'>;

function totalsWith(totals: Totals, pod: PodInfo): Totals {
  return {
    requested: addNodeAmounts(totals.requested, pod.requests),
    nonZeroCpuMilli: addInt64(totals.nonZeroCpuMilli, pod.nonZeroCpuMilli),
    nonZeroMemoryBytes: addInt64(totals.nonZeroMemoryBytes, pod.nonZeroMemoryBytes),
    usedPorts: pod.ports.length === 0 ? totals.usedPorts : [...totals.usedPorts, ...pod.ports],
  };
}

/** The same node with other pods; totals are summed anew, since saturated sums can't be taken back. */
export function withPods(info: NodeInfo, pods: readonly AssignedPod[]): NodeInfo {
  let totals: Totals = emptyNodeInfo(info, info.loads, info.signals);
  for (const { info: pod } of pods) totals = totalsWith(totals, pod);
  const { requested, nonZeroCpuMilli, nonZeroMemoryBytes, usedPorts } = totals;
  const { nominated, loads, signals } = info;
  return nodeInfo(info, {
    pods,
    requested,
    nonZeroCpuMilli,
    nonZeroMemoryBytes,
    usedPorts,
    nominated,
    loads,
    signals,
  });
}

export function compareAssigned(a: AssignedPod, b: AssignedPod): number {
  if (a.assignedUnixSeconds !== b.assignedUnixSeconds) return a.assignedUnixSeconds - b.assignedUnixSeconds;
  return a.info.uid < b.info.uid ? -1 : a.info.uid > b.info.uid ? 1 : 0;
}
