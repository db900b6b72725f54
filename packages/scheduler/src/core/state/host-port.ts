import type { Container } from '@catamaran/model';

/** A port of the node's own address that a container asks for. */
export interface HostPort {
  readonly protocol: string;
  readonly port: number;
  /** `0.0.0.0` stands for every address, also IPv6 ones; `::` does not. */
  readonly ip: string;
}

const ANY_ADDRESS = '0.0.0.0';

/** Ports of the containers that run together: app containers and sidecars, or with `init` all init containers. */
export function hostPorts(containers: readonly Container[]): readonly HostPort[] {
  const ports: HostPort[] = [];
  for (const container of containers) {
    for (const { hostPort = 0, protocol = 'TCP', hostIP = '' } of container.ports ?? []) {
      if (hostPort <= 0) continue;
      ports.push({ protocol: protocol || 'TCP', port: hostPort, ip: hostIP || ANY_ADDRESS });
    }
  }
  return ports.length === 0 ? NO_PORTS : ports;
}

const NO_PORTS: readonly HostPort[] = [];

export function portsConflict(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.ip === b.ip || a.ip === ANY_ADDRESS || b.ip === ANY_ADDRESS;
}
