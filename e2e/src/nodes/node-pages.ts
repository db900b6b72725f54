import { type Node, parseQuantity, quantityMilliValue, quantityValue } from '@catamaran/model';
import { type LoadModel, type NodeLoadSpec, nodeExporterPage } from '@catamaran/simulator';

/** A node's CPU meter does not begin at zero: metrics-server takes that for a meter that does not work. */
const METER_START_SECONDS = 1000;

/** What the nodes say about themselves, from the load model. */
export class NodePages {
  readonly #nodes: ReadonlyMap<string, NodeLoadSpec>;
  readonly #model: LoadModel;
  readonly #bootUnixMs = Date.now() - METER_START_SECONDS * 1000;

  constructor(nodes: readonly Node[], model: LoadModel) {
    this.#nodes = new Map(nodes.map((node) => [node.metadata.name, loadSpec(node)]));
    this.#model = model;
  }

  /** A kubelet's `/metrics/resource`. @param clockAheadMs of the node's clock; it shows in the samples' timestamps. */
  resource(nodeName: string, clockAheadMs: number): string {
    const nowMs = Date.now();
    const usedSeconds = (this.#model.cpuTotals(nodeName, nowMs)?.usedMilliMs ?? 0) / 1e6;
    const memoryBytes = Math.round(this.#model.usage(nodeName, nowMs)?.memoryBytes ?? 0);
    const sampledMs = nowMs + clockAheadMs;
    return [
      '# TYPE node_cpu_usage_seconds_total counter',
      `node_cpu_usage_seconds_total ${(METER_START_SECONDS + usedSeconds).toFixed(9)} ${sampledMs}`,
      '# TYPE node_memory_working_set_bytes gauge',
      `node_memory_working_set_bytes ${memoryBytes} ${sampledMs}`,
      '',
    ].join('\n');
  }

  /** A node-exporter's `/metrics`. */
  exporter(nodeName: string): string {
    const nowMs = Date.now();
    const spec = this.#nodes.get(nodeName);
    if (spec === undefined) return '';
    return nodeExporterPage({
      nodeName,
      bootUnixMs: this.#bootUnixMs,
      nowUnixMs: nowMs,
      cores: spec.cpuCapacityMilli / 1000,
      cpuBusyMilliMs: this.#model.cpuTotals(nodeName, nowMs)?.usedMilliMs ?? 0,
      memoryTotalBytes: spec.memoryCapacityBytes,
      memoryUsedBytes: this.#model.usage(nodeName, nowMs)?.memoryBytes ?? 0,
    });
  }
}

export function loadSpec(node: Node): NodeLoadSpec {
  const cpuCapacityMilli = milliOf(node.status?.capacity?.cpu);
  return {
    name: node.metadata.name,
    cpuCapacityMilli,
    memoryCapacityBytes: wholeOf(node.status?.capacity?.memory),
    idleCpuMilli: cpuCapacityMilli * 0.02,
    idleMemoryBytes: 1024 ** 3,
  };
}

export function milliOf(text: string | number | undefined): number {
  const parsed = parseQuantity(String(text ?? 0));
  return parsed.ok ? Number(quantityMilliValue(parsed.value)) : 0;
}

export function wholeOf(text: string | number | undefined): number {
  const parsed = parseQuantity(String(text ?? 0));
  return parsed.ok ? Number(quantityValue(parsed.value)) : 0;
}
