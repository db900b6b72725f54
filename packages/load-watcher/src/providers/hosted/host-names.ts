import type { Absence } from '../../core/figures/figures.js';
import { AMBIGUOUS, type Hit, type NodeIndex } from '../../core/mapping/node-index.js';

/** A host as the service calls it, and the clusters it is reported for. */
export interface KnownHost {
  readonly host: string;
  readonly clusters: ReadonlySet<string>;
}

export interface HostNamesContext {
  /** Undefined where the nodes of the cluster are not known. */
  readonly index: NodeIndex | undefined;
  /** What the service's host names end in and the nodes' don't; may be empty. */
  readonly suffix: string;
  /** The option that tells one cluster from another; for the remedy. */
  readonly clusterOption: string;
}

export interface NamedHosts {
  /** By host. */
  readonly nodes: ReadonlyMap<string, string>;
  /** By node, the rule that found it. */
  readonly rules: ReadonlyMap<string, ReadonlySet<string>>;
  readonly absences: readonly Absence[];
}

interface Claim {
  readonly host: string;
  readonly rule: string;
  /** Lower is stronger. */
  readonly rank: number;
}

/**
 * Which node each host is. The first rule that hits an existing node wins: the name as it is, without the suffix, any
 * address or the hostname label, the part before the first dot where only one node has it. Of several hosts that would
 * be one node the one with the stronger rule is it; equals are left out, because a guess would credit one machine with
 * another's load.
 */
export function nameHosts(hosts: readonly KnownHost[], context: HostNamesContext): NamedHosts {
  const absences: Absence[] = [];
  const distinct: string[] = [];
  for (const { host, clusters } of hosts) {
    if (clusters.size > 1) absences.push(inSeveralClusters(host, clusters, context.clusterOption));
    else distinct.push(host);
  }
  return context.index === undefined
    ? { ...unverified(distinct, context.suffix), absences }
    : verified(distinct, context.index, { suffix: context.suffix, absences });
}

function verified(
  hosts: readonly string[],
  index: NodeIndex,
  { suffix, absences }: { readonly suffix: string; readonly absences: Absence[] },
): NamedHosts {
  const claims = new Map<string, Claim[]>();
  for (const host of hosts) {
    const found = find(host, index, suffix);
    if (typeof found === 'string') {
      absences.push({ subject: host, metric: 'all', ...unfound(found) });
      continue;
    }
    const claim = { host, rule: found.rule, rank: found.rank };
    const others = claims.get(found.node);
    if (others === undefined) claims.set(found.node, [claim]);
    else others.push(claim);
  }
  const nodes = new Map<string, string>();
  const rules = new Map<string, ReadonlySet<string>>();
  for (const [node, contenders] of claims) {
    const winner = onlyStrongest(contenders);
    if (winner !== undefined) {
      nodes.set(winner.host, node);
      rules.set(node, new Set([winner.rule]));
    }
    for (const claim of contenders) if (claim !== winner) absences.push(contended(claim, node, contenders));
  }
  return { nodes, rules, absences };
}

/** Rules in their order; `unmatched-instance` or `ambiguous-instance` when none names one node. */
function find(
  host: string,
  index: NodeIndex,
  suffix: string,
):
  | { readonly node: string; readonly rule: string; readonly rank: number }
  | 'unmatched-instance'
  | 'ambiguous-instance' {
  const spellings = [...new Set([host, host.toLowerCase()])];
  const first = (look: (name: string) => Hit): Hit => spellings.map(look).find((hit) => hit !== undefined);
  const rules: readonly (readonly [string, () => Hit])[] = [
    ['host name', () => first((name) => index.byName(name))],
    ['host name without suffix', () => first((name) => index.byName(withoutSuffix(name, suffix)))],
    ['address', () => first((name) => index.byAddress(name))],
    ['short name', () => first((name) => index.byShortName(name))],
  ];
  for (const [rank, [rule, hit]] of rules.entries()) {
    const node = hit();
    if (node === AMBIGUOUS) return 'ambiguous-instance';
    if (node !== undefined) return { node, rule, rank };
  }
  return 'unmatched-instance';
}

/** Without the cluster's nodes: the suffix is cut off, else all after the first dot, unless hosts would become one. */
function unverified(hosts: readonly string[], suffix: string): Omit<NamedHosts, 'absences'> {
  const count = new Map<string, number>();
  for (const host of hosts) {
    const short = shortened(host, suffix);
    count.set(short, (count.get(short) ?? 0) + 1);
  }
  const nodes = new Map<string, string>();
  const rules = new Map<string, ReadonlySet<string>>();
  for (const host of hosts) {
    const short = shortened(host, suffix);
    const isAlone = count.get(short) === 1;
    const node = isAlone ? short : host;
    nodes.set(host, node);
    rules.set(node, new Set([`${isAlone ? 'short host name' : 'host name'}, unverified`]));
  }
  return { nodes, rules };
}

function shortened(host: string, suffix: string): string {
  const without = withoutSuffix(host, suffix);
  if (without !== host || /^[\d.]+$/.test(host) || host.includes(':')) return without;
  return host.split('.', 1)[0] || host;
}

function withoutSuffix(host: string, suffix: string): string {
  return suffix !== '' && host.length > suffix.length && host.endsWith(suffix)
    ? host.slice(0, -suffix.length)
    : host;
}

function onlyStrongest(claims: readonly Claim[]): Claim | undefined {
  const rank = Math.min(...claims.map((claim) => claim.rank));
  const strongest = claims.filter((claim) => claim.rank === rank);
  return strongest.length === 1 ? strongest[0] : undefined;
}

function contended({ host, rule }: Claim, node: string, claims: readonly Claim[]): Absence {
  const others = claims.filter((claim) => claim.host !== host).map((claim) => claim.host);
  const detail = `by ${rule} it would be the node ${node}, as would ${others.slice(0, 3).join(', ')}: narrow the hosts by suffix or cluster`;
  return { subject: host, metric: 'all', reason: 'ambiguous-instance', detail };
}

function unfound(reason: 'unmatched-instance' | 'ambiguous-instance'): Pick<Absence, 'reason' | 'detail'> {
  return {
    reason,
    detail:
      reason === 'ambiguous-instance'
        ? 'more than one node has this address or short name'
        : 'no node of the cluster by name, name without suffix, address or short name',
  };
}

function inSeveralClusters(subject: string, clusters: ReadonlySet<string>, option: string): Absence {
  const names = [...clusters].sort().slice(0, 5).join(', ');
  return {
    subject,
    metric: 'all',
    reason: 'ambiguous-instance',
    detail: `the host is reported for several clusters (${names}): say which is this one with ${option}`,
  };
}
