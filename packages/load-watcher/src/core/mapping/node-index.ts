import type { Node } from '@catamaran/model';

/** Several nodes share the key, so it names none. */
export const AMBIGUOUS = Symbol('ambiguous');

export type Hit = string | typeof AMBIGUOUS | undefined;

/** Looks nodes up by the names that a metrics source may know them by. */
export class NodeIndex {
  readonly #names = new Set<string>();
  readonly #addresses = new Map<string, string | typeof AMBIGUOUS>();
  readonly #shortNames = new Map<string, string | typeof AMBIGUOUS>();

  constructor(nodes: Iterable<Node>) {
    for (const node of nodes) {
      const { name, labels } = node.metadata;
      this.#names.add(name);
      enter(this.#shortNames, shortName(name), name);
      for (const { address } of node.status?.addresses ?? [])
        enter(this.#addresses, plainAddress(address), name);
      const hostname = labels?.['kubernetes.io/hostname'];
      if (hostname !== undefined) enter(this.#addresses, hostname, name);
    }
  }

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  byName(name: string): string | undefined {
    return this.#names.has(name) ? name : undefined;
  }

  /** By any of a node's addresses or its hostname label. */
  byAddress(address: string): Hit {
    return this.#addresses.get(plainAddress(address));
  }

  /** By what stands before the first dot of the node's name; an IP address has no such part. */
  byShortName(host: string): Hit {
    return isIpAddress(host) ? undefined : this.#shortNames.get(shortName(host));
  }
}

/** Without the port: `10.0.0.7:9100` → `10.0.0.7`, `[::1]:9100` → `::1`, `::1` → `::1`, `node-f:9100` → `node-f`. */
export function hostOfInstance(instance: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(instance);
  if (bracketed?.[1] !== undefined) return bracketed[1];
  const plain = /^([^:]+):\d+$/.exec(instance);
  return plain?.[1] ?? instance;
}

/** An IPv6 address in one of its spellings, all eight groups; other texts as they are. */
function plainAddress(address: string): string {
  if (!/^[\da-f:]*:[\da-f:]*$/i.test(address)) return address;
  const halves = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const [before = [], after] = halves;
  const missing = 8 - before.length - (after?.length ?? 0);
  if (halves.length > 2 || missing < 0 || (after === undefined && missing > 0)) return address;
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...(after ?? [])];
  if (groups.some((group) => group === '' || group.length > 4)) return address;
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}

function isIpAddress(host: string): boolean {
  return host.includes(':') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
}

function shortName(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? name : name.slice(0, dot);
}

function enter(table: Map<string, string | typeof AMBIGUOUS>, key: string, name: string): void {
  if (key === '') return;
  const before = table.get(key);
  table.set(key, before === undefined || before === name ? name : AMBIGUOUS);
}
