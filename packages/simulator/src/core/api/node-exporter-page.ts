export interface NodeExporterFigures {
  readonly nodeName: string;
  readonly bootUnixMs: number;
  readonly nowUnixMs: number;
  readonly cores: number;
  /** CPU time used since boot, all cores together, in milli-CPU × milliseconds. */
  readonly cpuBusyMilliMs: number;
  readonly memoryTotalBytes: number;
  readonly memoryUsedBytes: number;
}

/** Of the busy time; a meter that sums all modes but idle doesn't care. */
const USER_SHARE = 0.8;
const QUIET_MODES = ['iowait', 'irq', 'nice', 'softirq', 'steal'];

/** The part of node-exporter's page that load is computed from, in Prometheus' text format. */
export function nodeExporterPage(figures: NodeExporterFigures): string {
  const lines = [
    '# HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.',
    '# TYPE node_cpu_seconds_total counter',
    ...cpuLines(figures),
    ...gauge('node_memory_MemTotal_bytes', 'Memory of the node.', figures.memoryTotalBytes),
    ...gauge(
      'node_memory_MemAvailable_bytes',
      'Memory that is not in use.',
      Math.max(0, figures.memoryTotalBytes - figures.memoryUsedBytes),
    ),
    ...gauge('node_boot_time_seconds', 'When the node started.', figures.bootUnixMs / 1000),
    ...gauge('node_time_seconds', 'Time on the node.', figures.nowUnixMs / 1000),
    '# HELP node_uname_info What the node is called.',
    '# TYPE node_uname_info gauge',
    `node_uname_info{domainname="(none)",machine="x86_64",nodename="${escapeLabel(figures.nodeName)}",sysname="Linux"} 1`,
  ];
  return `${lines.join('\n')}\n`;
}

function cpuLines(figures: NodeExporterFigures): string[] {
  const elapsedSeconds = (figures.nowUnixMs - figures.bootUnixMs) / 1000;
  const busySeconds = Math.min(figures.cpuBusyMilliMs / 1e6 / figures.cores, elapsedSeconds);
  const lines: string[] = [];
  for (let cpu = 0; cpu < figures.cores; cpu += 1) {
    const add = (mode: string, seconds: number): number =>
      lines.push(`node_cpu_seconds_total{cpu="${cpu}",mode="${mode}"} ${seconds}`);
    add('idle', elapsedSeconds - busySeconds);
    add('system', busySeconds * (1 - USER_SHARE));
    add('user', busySeconds * USER_SHARE);
    for (const mode of QUIET_MODES) add(mode, 0);
  }
  return lines;
}

function gauge(name: string, help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`];
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
