import { parseQuantity, quantityMilliValue, quantityValue } from '@catamaran/model';
import type { InMemoryCluster } from '@catamaran/platform';
import { type NodeIoFigures, nodeExporterPage } from '../core/api/node-exporter-page.js';

/** CPU time a node has used since the server started, in milli-CPU × milliseconds, exactly. */
export type CpuTotals = (nodeName: string, nowMs: number) => { readonly usedMilliMs: number } | undefined;

/** Bytes over the network and to disk since the server started, exactly. */
export type IoTotals = (nodeName: string, nowMs: number) => NodeIoFigures | undefined;

export interface NodeCounters {
  readonly cpuTotals?: CpuTotals | undefined;
  readonly ioTotals?: IoTotals | undefined;
}

interface Meter {
  lastMs: number;
  lastCpuMilli: number;
  busyMilliMs: number;
}

/**
 * The counters of each node's exporter. With exact CPU totals they are those; without, use is taken as constant from one
 * reading to the next. Network and disks are shown where their totals are known.
 */
export class NodePages {
  readonly #cluster: InMemoryCluster;
  readonly #counters: NodeCounters;
  readonly #meters = new Map<string, Meter>();
  readonly #startMs: number;

  constructor(cluster: InMemoryCluster, counters: NodeCounters) {
    this.#cluster = cluster;
    this.#counters = counters;
    this.#startMs = cluster.nowMs();
  }

  /** The page, or undefined when nobody knows what the node uses. @throws ClusterApiError 'not-found'. */
  render(nodeName: string): string | undefined {
    const node = this.#cluster.objects.get('nodes', nodeName);
    const usage = this.#cluster.nodeUsage(nodeName);
    if (usage === undefined) return undefined;
    const nowMs = this.#cluster.nowMs();
    const capacity = node.status?.capacity ?? {};
    return nodeExporterPage({
      nodeName,
      bootUnixMs: this.#startMs,
      nowUnixMs: nowMs,
      cores: Math.max(1, Math.round(milliOf(capacity.cpu) / 1000)),
      cpuBusyMilliMs: this.#busyMilliMs(nodeName, usage.cpuMilli, nowMs),
      memoryTotalBytes: bytesOf(capacity.memory),
      memoryUsedBytes: usage.memoryBytes,
      io: this.#counters.ioTotals?.(nodeName, nowMs),
    });
  }

  #busyMilliMs(nodeName: string, cpuMilli: number, nowMs: number): number {
    const exact = this.#counters.cpuTotals?.(nodeName, nowMs)?.usedMilliMs;
    if (exact !== undefined) return exact;
    const meter = this.#meters.get(nodeName) ?? {
      lastMs: this.#startMs,
      lastCpuMilli: cpuMilli,
      busyMilliMs: 0,
    };
    this.#meters.set(nodeName, meter);
    meter.busyMilliMs += meter.lastCpuMilli * Math.max(0, nowMs - meter.lastMs);
    meter.lastMs = nowMs;
    meter.lastCpuMilli = cpuMilli;
    return meter.busyMilliMs;
  }
}

function milliOf(quantity: string | number | undefined): number {
  const parsed = parseQuantity(quantity);
  return parsed.ok ? Number(quantityMilliValue(parsed.value)) : 0;
}

function bytesOf(quantity: string | number | undefined): number {
  const parsed = parseQuantity(quantity);
  return parsed.ok ? Number(quantityValue(parsed.value)) : 0;
}
