export interface NodeExporterFigures {
  readonly nodeName: string;
  readonly bootUnixMs: number;
  readonly nowUnixMs: number;
  readonly cores: number;
  /** CPU time used since boot, all cores together, in milli-CPU × milliseconds. */
  readonly cpuBusyMilliMs: number;
  readonly memoryTotalBytes: number;
  readonly memoryUsedBytes: number;
  /** Bytes since boot; absent where nobody counts them, which is not none. */
  readonly io?: NodeIoFigures | undefined;
}

export interface NodeIoFigures {
  readonly receive: number;
  readonly transmit: number;
  readonly read: number;
  readonly write: number;
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
    ...(figures.io === undefined ? [] : ioLines(figures.io)),
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

/** As on a real node: a bridge and a partition carry once more what the interface and the disk carry. */
function ioLines(io: NodeIoFigures): string[] {
  return [
    ...counter('node_network_receive_bytes_total', 'Bytes received.', [
      ['eth0', io.receive],
      ['cni0', io.receive],
      ['lo', 2 * io.receive],
    ]),
    ...counter('node_network_transmit_bytes_total', 'Bytes sent.', [
      ['eth0', io.transmit],
      ['cni0', io.transmit],
      ['lo', 2 * io.receive],
    ]),
    ...counter('node_disk_read_bytes_total', 'Bytes read.', onDisks(io.read)),
    ...counter('node_disk_written_bytes_total', 'Bytes written.', onDisks(io.write)),
    ...filesystemLines(io.write),
  ];
}

function onDisks(bytes: number): readonly (readonly [string, number])[] {
  return [
    ['sda', bytes],
    ['sda1', bytes],
    ['dm-0', bytes],
  ];
}

const DISK_BYTES = 100e9;

/** What was written stays written. A share without a size is there too. */
function filesystemLines(writtenBytes: number): string[] {
  const available = Math.max(0, DISK_BYTES / 2 - writtenBytes);
  const series = (name: string, root: number): string[] => [
    `# HELP ${name} Bytes of the file system.`,
    `# TYPE ${name} gauge`,
    `${name}{device="/dev/sda1",fstype="ext4",mountpoint="/"} ${root}`,
    `${name}{device="tmpfs",fstype="tmpfs",mountpoint="/run"} 1e9`,
    `${name}{device="//share",fstype="cifs",mountpoint="/mnt"} 0`,
  ];
  return [
    ...series('node_filesystem_size_bytes', DISK_BYTES),
    ...series('node_filesystem_avail_bytes', available),
  ];
}

function counter(name: string, help: string, devices: readonly (readonly [string, number])[]): string[] {
  const lines = devices.map(([device, bytes]) => `${name}{device="${device}"} ${bytes}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...lines];
}

function gauge(name: string, help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`];
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
