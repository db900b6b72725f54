import {
  type CpuDemand,
  type Int64,
  LOAD_CEILING_ANNOTATION,
  type Pod,
  podAmounts,
  podKey,
  type QuantityProblem,
  type ResourceAmounts,
  scoredRequests,
} from '@catamaran/model';
import { readPod } from '../objects/read-object.js';
import type { FieldDamage } from '../objects/shape.js';
import { type Labels, NO_LABELS } from '../selectors/label-requirement.js';
import { type AffinityTerm, requiredAntiAffinityTerms } from './affinity-term.js';
import { type HostPort, hostPorts } from './host-port.js';
import { type NodeAmounts, toNodeAmounts } from './node-amounts.js';

/** A pod with everything that filters, scores and node totals need of it, worked out once. Immutable. */
export interface PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly priority: number;
  /** What it holds on a node. */
  readonly requests: NodeAmounts;
  readonly nonZeroCpuMilli: Int64;
  readonly nonZeroMemoryBytes: Int64;
  /** Requests as NodeResourcesFit's strategies see a pending pod: with defaults, without pod-level requests. */
  readonly scoredRequests: ResourceAmounts;
  readonly cpuDemand: CpuDemand;
  /** Host ports it wants, or holds. */
  readonly ports: readonly HostPort[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  /** When it was assigned to its node, in whole Unix seconds; undefined where the object does not tell. */
  readonly assignedUnixSeconds: number | undefined;
  /** Quantities that could not be used: their fields count as missing. A pending pod with one in its spec is refused. */
  readonly problems: readonly QuantityProblem[];
  /** Fields of the wrong type, left out of `pod`. A pending pod with such a field in its spec is refused. */
  readonly damage: readonly FieldDamage[];
  /**
   * Equal for pods that any filter or score treats alike, save for labels and namespace: those matter only to the
   * anti-affinity of other pods, which is looked at for each pod.
   */
  readonly classKey: string;
  /** The part of it that says where the pod may and would like to run: node name, selector, affinity, tolerations. */
  readonly placementKey: string;
}

export type PodPreparation =
  | { readonly ok: true; readonly info: PodInfo }
  | { readonly ok: false; readonly problem: string };

/**
 * Pure; costs some microseconds, so a pod is prepared once, when it arrives or changes.
 * @throws TypeError when the object can't be used as a pod.
 */
export function podInfo(pod: Pod): PodInfo {
  const prepared = preparePod(pod);
  if (!prepared.ok) throw new TypeError(`not a pod: ${prepared.problem}`);
  return prepared.info;
}

/** The same for an object that may be anything. */
export function preparePod(raw: unknown): PodPreparation {
  const reading = readPod(raw);
  return reading.ok ? { ok: true, info: new PreparedPod(reading.object, reading.damage) } : reading;
}

class PreparedPod implements PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly priority: number;
  readonly requests: NodeAmounts;
  readonly nonZeroCpuMilli: Int64;
  readonly nonZeroMemoryBytes: Int64;
  readonly cpuDemand: CpuDemand;
  readonly ports: readonly HostPort[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly assignedUnixSeconds: number | undefined;
  readonly problems: readonly QuantityProblem[];
  readonly damage: readonly FieldDamage[];
  #scoredRequests: ResourceAmounts | undefined;
  #classKey: string | undefined;
  #placementKey: string | undefined;

  constructor(pod: Pod, damage: readonly FieldDamage[]) {
    const amounts = podAmounts(pod);
    const init = pod.spec.initContainers ?? [];
    this.pod = pod;
    this.damage = damage;
    this.uid = pod.metadata.uid ?? podKey(pod);
    this.namespace = pod.metadata.namespace ?? 'default';
    this.labels = pod.metadata.labels ?? NO_LABELS;
    this.priority = pod.spec.priority ?? 0;
    this.requests = toNodeAmounts(amounts.requests);
    this.nonZeroCpuMilli = amounts.nonZeroCpuMilli;
    this.nonZeroMemoryBytes = amounts.nonZeroMemoryBytes;
    this.cpuDemand = amounts.cpuDemand;
    this.problems = amounts.problems;
    this.ports = hostPorts([
      ...(pod.spec.containers ?? []),
      ...init.filter(({ restartPolicy }) => restartPolicy === 'Always'),
    ]);
    this.requiredAntiAffinity = requiredAntiAffinityTerms(pod);
    this.assignedUnixSeconds = assignedUnixSeconds(pod);
  }

  get key(): string {
    return podKey(this.pod);
  }

  get scoredRequests(): ResourceAmounts {
    this.#scoredRequests ??= scoredRequests(this.pod);
    return this.#scoredRequests;
  }

  get classKey(): string {
    this.#classKey ??= classKeyOf(this);
    return this.#classKey;
  }

  get placementKey(): string {
    this.#placementKey ??= placementKeyOf(this.pod.spec);
    return this.#placementKey;
  }
}

/** A time without a zone would mean another moment in each zone that this runs in. */
const ZONED = /(?:Z|[+-]\d{2}:\d{2})$/;

/** The time of `PodScheduled=True`; else the start, else the creation of the pod. */
function assignedUnixSeconds(pod: Pod): number | undefined {
  const scheduled = pod.status?.conditions?.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'True',
  );
  const text = scheduled?.lastTransitionTime ?? pod.status?.startTime ?? pod.metadata.creationTimestamp;
  const unixMs = text === undefined || !ZONED.test(text) ? Number.NaN : Date.parse(text);
  return Number.isNaN(unixMs) ? undefined : Math.floor(unixMs / 1000);
}

/** Everything of the spec that says where the pod may run, and the texts its amounts come from. */
function classKeyOf({ pod, priority, placementKey }: PodInfo): string {
  const { spec } = pod;
  const container = ({ name: _name, ...rest }: object & { readonly name?: string }): unknown => [
    'image' in rest ? rest.image : '',
    'resources' in rest ? rest.resources : '',
    'ports' in rest ? rest.ports : '',
    'restartPolicy' in rest ? rest.restartPolicy : '',
  ];
  const rest = JSON.stringify([
    (spec.containers ?? []).map(container),
    (spec.initContainers ?? []).map(container),
    spec.resources,
    spec.overhead,
    spec.volumes?.map(({ image }) => image),
    priority,
    spec.priorityClassName,
    pod.metadata.annotations?.[LOAD_CEILING_ANNOTATION],
  ]);
  return placementKey + rest;
}

function placementKeyOf(spec: Pod['spec']): string {
  return JSON.stringify([spec.nodeName, spec.nodeSelector, spec.affinity?.nodeAffinity, spec.tolerations]);
}
