import {
  type Node,
  type NodeMetricsObject,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
} from '@catamaran/model';
import type { Resource } from '../../core/figures/figure-table.js';
import type { Absence } from '../../core/figures/figures.js';
import { judgePercent } from '../../core/figures/plausibility.js';
import { judgeSampleTime, type SampleTimeLimits } from '../../core/figures/sample-time.js';
import type { Interruptible } from '../../event-loop.js';

export interface NodeSample {
  readonly node: string;
  /** Tells two machines of one name apart. */
  readonly identity: string;
  readonly unixMs: number;
  readonly percent: Readonly<Partial<Record<Resource, number>>>;
}

export interface DecodedUsage {
  readonly samples: readonly NodeSample[];
  readonly absences: readonly Absence[];
}

export interface UsageContext {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly nowMs: number;
  readonly limits: SampleTimeLimits;
}

type Why = Pick<Absence, 'reason' | 'detail'>;

const RESOURCE_KEYS = [
  ['CPU', 'cpu'],
  ['Memory', 'memory'],
] as const;

const MALFORMED: Why = { reason: 'malformed-item', detail: 'it is no object with a name' };
const UNTIMED: Why = {
  reason: 'no-sample',
  detail: 'the sample has no timestamp: nobody knows whether the node is still measured',
};

/** Entries between two possible interruptions: about a millisecond of work. */
const ITEMS_PER_PIECE = 200;

/**
 * Joins usage with the nodes' capacity: 100 × usage ÷ capacity (not allocatable), CPU in milli-cores rounded up,
 * memory in bytes. What can't be joined is absent with a reason; one node's trouble is its own.
 */
export function* decodeUsage(
  usage: readonly NodeMetricsObject[],
  context: UsageContext,
): Interruptible<DecodedUsage> {
  const samples = new Map<string, NodeSample>();
  const absences: Absence[] = [];
  for (const [position, item] of usage.entries()) {
    if (position % ITEMS_PER_PIECE === 0) yield;
    if (nameOf(item) === '') {
      absences.push(absent(`item ${position} of the metrics API`, 'all', MALFORMED));
      continue;
    }
    const decoded = decodeItem(item, context);
    absences.push(...decoded.absences);
    const { sample } = decoded;
    if (sample === undefined) continue;
    const before = samples.get(sample.node);
    if (before !== undefined) {
      absences.push(
        absent(sample.node, 'all', {
          reason: 'duplicate-series',
          detail: 'the metrics API lists the node twice; the newer sample counts',
        }),
      );
    }
    if (before === undefined || before.unixMs < sample.unixMs) samples.set(sample.node, sample);
  }
  yield;
  return { samples: [...samples.values()], absences: [...absences, ...unlisted(usage, context)] };
}

/** Nodes that the metrics API does not name. */
function unlisted(usage: readonly NodeMetricsObject[], { nodes }: UsageContext): readonly Absence[] {
  const listed = new Set(usage.map(nameOf));
  const absences: Absence[] = [];
  for (const name of nodes.keys()) {
    if (listed.has(name)) continue;
    absences.push(
      absent(name, 'all', {
        reason: 'no-sample',
        detail: 'the metrics API has no entry for the node: see metrics-server and the kubelet of the node',
      }),
    );
  }
  return absences;
}

function decodeItem(
  item: NodeMetricsObject,
  context: UsageContext,
): { readonly sample: NodeSample | undefined; readonly absences: readonly Absence[] } {
  const name = nameOf(item);
  const node = context.nodes.get(name);
  if (node === undefined) {
    return {
      sample: undefined,
      absences: [
        absent(name, 'all', {
          reason: 'unknown-node',
          detail: 'the metrics API names it, the list of nodes does not',
        }),
      ],
    };
  }
  const { timestamp } = item as { readonly timestamp?: string | null };
  const unixMs = Date.parse(timestamp ?? '');
  const bad = timestamp === undefined || timestamp === null ? UNTIMED : judgeTime(unixMs, node, context);
  if (bad !== undefined) return { sample: undefined, absences: [absent(name, 'all', bad)] };
  const percent: Partial<Record<Resource, number>> = {};
  const absences: Absence[] = [];
  for (const [resource, key] of RESOURCE_KEYS) {
    const read = percentOf(key, item.usage?.[key], node.status?.capacity?.[key]);
    if (typeof read === 'number') percent[resource] = read;
    else absences.push(absent(name, resource, read));
  }
  if (Object.keys(percent).length === 0) return { sample: undefined, absences };
  const identity = node.metadata.uid ?? node.metadata.creationTimestamp ?? '';
  return { sample: { node: name, identity, unixMs, percent }, absences };
}

function judgeTime(unixMs: number, node: Node, context: UsageContext): Why | undefined {
  if (Number.isNaN(unixMs))
    return { reason: 'stale-sample', detail: 'the time of the sample is not RFC 3339' };
  const createdMs = Date.parse(node.metadata.creationTimestamp ?? '');
  if (unixMs < createdMs) {
    return {
      reason: 'older-than-node',
      detail: `the sample is older than the node (${node.metadata.creationTimestamp}): it belongs to an earlier machine of that name`,
    };
  }
  return judgeSampleTime(unixMs, context.nowMs, context.limits);
}

function percentOf(key: 'cpu' | 'memory', usage: unknown, capacity: unknown): number | Why {
  if (usage === undefined || usage === null)
    return { reason: 'no-sample', detail: `usage.${key} is not in the sample` };
  if (capacity === undefined || capacity === null) {
    return { reason: 'zero-capacity', detail: `the node states no capacity.${key}` };
  }
  const used = amount(key, usage);
  if (typeof used === 'string') return { reason: 'bad-quantity', detail: `usage.${key}: ${used}` };
  const available = amount(key, capacity);
  if (typeof available === 'string')
    return { reason: 'bad-quantity', detail: `capacity.${key}: ${available}` };
  if (available <= 0) return { reason: 'zero-capacity', detail: `capacity.${key} is ${available}` };
  const percent = (100 * used) / available;
  return judgePercent(percent) ?? percent;
}

/** Milli-cores or bytes, or what is wrong with the text. */
function amount(key: 'cpu' | 'memory', input: unknown): number | string {
  const parsed = parseQuantity(input);
  if (!parsed.ok) return parsed.problem;
  return Number(key === 'cpu' ? quantityMilliValue(parsed.value) : quantityValue(parsed.value));
}

/** Empty where there is none, whatever the item is. */
function nameOf(item: NodeMetricsObject | null): string {
  const name: unknown = item?.metadata?.name;
  return typeof name === 'string' ? name : '';
}

function absent(subject: string, metric: Absence['metric'], why: Why): Absence {
  return { subject, metric, ...why };
}
