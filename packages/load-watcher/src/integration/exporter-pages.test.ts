import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SERVICE_MONITORS, type ServiceMonitor } from './service-monitors.test.js';

const CORES = 4;
const GIB = 1024 ** 3;

/** Load of a target, another for each, so that a mix-up shows. */
export function loadOf(monitor: ServiceMonitor): {
  readonly cpuPercent: number;
  readonly memoryPercent: number;
} {
  const position = SERVICE_MONITORS.indexOf(monitor);
  return { cpuPercent: 11 + 6 * position, memoryPercent: 15 + 5 * position };
}

/** An HTTP proxy that answers scrapes for every target, so that each target can have the address of a real one. */
export class ExporterPages {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<ExporterPages> {
    const startMs = Date.now();
    const server = createServer((request, response) => {
      const seconds = 1000 + (Date.now() - startMs) / 1000;
      const { host } = new URL(request.url ?? '');
      response.setHeader('Content-Type', 'text/plain; version=0.0.4');
      response.end(host === KUBE_STATE_METRICS ? kubeStateMetrics() : exporterPage(host, seconds));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ExporterPages(server);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

export const KUBE_STATE_METRICS = '172.16.3.99:8080';

function exporterPage(host: string, seconds: number): string {
  const monitor = SERVICE_MONITORS.find(({ address }) => address === host);
  if (monitor === undefined) return '';
  const uptime = seconds % (monitor.rebootsEverySeconds ?? Number.POSITIVE_INFINITY);
  return monitor.exporter === 'node-exporter' ? linuxPage(monitor, uptime) : windowsPage(monitor, uptime);
}

function linuxPage(monitor: ServiceMonitor, seconds: number): string {
  const { cpuPercent, memoryPercent } = loadOf(monitor);
  const busy = cpuPercent / 100;
  // Waiting and stolen time is no load; what is left of the idle share.
  const shares = {
    user: busy * 0.7,
    system: busy * 0.3,
    idle: (1 - busy) * 0.8,
    iowait: (1 - busy) * 0.15,
    steal: (1 - busy) * 0.05,
  };
  const lines = perCore((core) =>
    Object.entries(shares).map(
      ([mode, share]) => `node_cpu_seconds_total{cpu="${core}",mode="${mode}"} ${seconds * share}`,
    ),
  );
  lines.push(`node_memory_MemTotal_bytes ${16 * GIB}`);
  lines.push(`node_memory_MemAvailable_bytes ${16 * GIB * (1 - memoryPercent / 100)}`);
  if (monitor.hostname !== undefined)
    lines.push(
      `node_uname_info{domainname="(none)",machine="x86_64",nodename="${monitor.hostname}",release="6.1.0"} 1`,
    );
  return `${lines.join('\n')}\n`;
}

function windowsPage(monitor: ServiceMonitor, seconds: number): string {
  const { cpuPercent, memoryPercent } = loadOf(monitor);
  const busy = cpuPercent / 100;
  const shares = {
    user: busy * 0.5,
    privileged: busy * 0.3,
    dpc: busy * 0.1,
    interrupt: busy * 0.1,
    idle: 1 - busy,
  };
  const lines = perCore((core) =>
    Object.entries(shares).map(
      ([mode, share]) => `windows_cpu_time_total{core="0,${core}",mode="${mode}"} ${seconds * share}`,
    ),
  );
  const [free, total] =
    monitor.exporter === 'windows_exporter'
      ? ['windows_memory_physical_free_bytes', 'windows_memory_physical_total_bytes']
      : ['windows_os_physical_memory_free_bytes', 'windows_cs_physical_memory_bytes'];
  lines.push(`${total} ${8 * GIB}`, `${free} ${8 * GIB * (1 - memoryPercent / 100)}`);
  return `${lines.join('\n')}\n`;
}

function perCore(lines: (core: number) => readonly string[]): string[] {
  return Array.from({ length: CORES }, (_, core) => lines(core)).flat();
}

function kubeStateMetrics(): string {
  const lines = SERVICE_MONITORS.flatMap(({ node, address, labels, hasPodInfo, hasNodeInfo }) => {
    const host = address.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '');
    const pod = `kube_pod_info{namespace="${labels.namespace}",pod="${labels.pod}",node="${node}",host_ip="${host}",pod_ip="${host}",uid="u"} 1`;
    const info = `kube_node_info{node="${node}",internal_ip="${host}",kernel_version="6.1.0",os_image="x"} 1`;
    return [...(hasPodInfo === true ? [pod] : []), ...(hasNodeInfo === true ? [info] : [])];
  });
  return `${lines.join('\n')}\n`;
}
