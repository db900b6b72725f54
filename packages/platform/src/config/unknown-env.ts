import { nearestName, squeeze } from '@catamaran/model';

export interface EnvNames {
  readonly known: readonly string[];
  /** Read outside the option table. */
  readonly alsoRead: readonly string[];
  /** What begins so is meant for this program and nobody else. */
  readonly ownPrefixes: readonly string[];
  /** What begins so may be anybody's, but for near misses of a known name. */
  readonly sharedPrefixes: readonly string[];
}

export interface UnknownEnv {
  /** Variables that this program should know and doesn't. */
  readonly problems: readonly string[];
  /** Variables that may be meant for it. */
  readonly notes: readonly string[];
}

type Env = Readonly<Record<string, string | undefined>>;

/** What Kubernetes sets in every container for a Service, whose name may well begin like one of ours. */
const SERVICE_LINK = /_SERVICE_HOST$|_SERVICE_PORT(_[A-Z0-9_]+)?$/;
const SERVICE_LINK_PORT = /_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/;
const LINK_VALUE = /^(tcp|udp|sctp):\/\//i;

/**
 * Environment variables that nobody reads though they look meant for this program. One with a prefix of its own is a
 * problem, and so is a near miss with a prefix that it shares with others; one with the same letters in another style (`EnableOpenShiftAuth`) or a near name of several words
 * (`METRIC_PROVIDER_NAME`) is worth a note, since it may be somebody else's. Anything else is none of our business.
 */
export function unknownEnv(env: Env, names: EnvNames): UnknownEnv {
  const read = new Set([...names.known, ...names.alsoRead]);
  const problems: string[] = [];
  const notes: string[] = [];
  for (const [name, value = ''] of Object.entries(env).sort(byName)) {
    if (read.has(name) || isServiceLink(name, value)) continue;
    const meant = meantName(name, names.known);
    const isOurs =
      hasPrefix(name, names.ownPrefixes) || (meant !== undefined && hasPrefix(name, names.sharedPrefixes));
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    if (isOurs && value !== '') {
      problems.push(`${name}: unknown variable${hint || `; known: ${siblings(name, names)}`}`);
    } else if (meant !== undefined) {
      notes.push(`environment variable ${name} is not read${hint}`);
    }
  }
  return { problems, notes };
}

function hasPrefix(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}

function isServiceLink(name: string, value: string): boolean {
  if (SERVICE_LINK.test(name)) return true;
  const [, , protocol, detail] = SERVICE_LINK_PORT.exec(name) ?? [];
  if (detail !== undefined) return true;
  return (protocol !== undefined || name.endsWith('_PORT')) && LINK_VALUE.test(value);
}

function meantName(name: string, known: readonly string[]): string | undefined {
  const sameLetters = known.find((candidate) => squeeze(candidate) === squeeze(name));
  if (sameLetters !== undefined) return sameLetters;
  // A variable of one word, such as PORT, has too many neighbours.
  const ofSeveralWords = known.filter((candidate) => candidate.includes('_'));
  return nearestName(name, ofSeveralWords);
}

function siblings(name: string, { known, ownPrefixes }: EnvNames): string {
  const prefix = ownPrefixes.find((candidate) => name.startsWith(candidate)) ?? '';
  return known.filter((candidate) => candidate.startsWith(prefix)).join(', ');
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
