import type { Node, NodeMetricsObject } from '@catamaran/model';

export interface NodeUsageSample {
  /** Thousandths of a core in use; may be fractional. */
  readonly cpuMilli: number;
  /** Working set. */
  readonly memoryBytes: number;
}

/** Real use of a node at an instant (Unix milliseconds); undefined when it is not known. Deterministic. */
export type NodeUsage = (nodeName: string, nowMs: number) => NodeUsageSample | undefined;

const NANOCORES_PER_MILLI = 1_000_000;
const BYTES_PER_KI = 1024;

/** The item metrics-server would serve: cpu in nanocores, memory in Ki, averaged over about 10 s. */
export function nodeMetricsOf(node: Node, usage: NodeUsageSample, nowMs: number): NodeMetricsObject {
  return {
    metadata: {
      name: node.metadata.name,
      creationTimestamp: rfc3339Seconds(nowMs),
      ...(node.metadata.labels === undefined ? {} : { labels: node.metadata.labels }),
    },
    timestamp: rfc3339Seconds(nowMs),
    window: '10s',
    usage: {
      cpu: `${Math.round(usage.cpuMilli * NANOCORES_PER_MILLI)}n`,
      memory: `${Math.round(usage.memoryBytes / BYTES_PER_KI)}Ki`,
    },
  };
}

/** `2026-11-30T15:00:00Z`: the precision of metav1.Time. */
export function rfc3339Seconds(unixMs: number): string {
  return `${new Date(unixMs).toISOString().slice(0, 19)}Z`;
}
