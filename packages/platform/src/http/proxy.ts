import { BlockList, isIP } from 'node:net';

/** The usual variables, upper or lower case, as they stand in the environment. */
export interface ProxyVariables {
  readonly httpProxy: string | undefined;
  readonly httpsProxy: string | undefined;
  readonly noProxy: string | undefined;
}

export function proxyVariables(env: Readonly<Record<string, string | undefined>>): ProxyVariables {
  const read = (name: string): string | undefined => env[name] || env[name.toLowerCase()] || undefined;
  return { httpProxy: read('HTTP_PROXY'), httpsProxy: read('HTTPS_PROXY'), noProxy: read('NO_PROXY') };
}

/**
 * The proxy for an address, or undefined to go there directly. NO_PROXY holds names (with their subdomains, with or
 * without a leading dot), addresses, CIDR ranges, each perhaps with a port, or `*`. This machine is never proxied.
 */
export function proxyFor(url: URL, variables: ProxyVariables): string | undefined {
  const proxy = url.protocol === 'https:' ? variables.httpsProxy : variables.httpProxy;
  if (proxy === undefined) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.')))
    return undefined;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const excluded = (variables.noProxy ?? '')
    .split(/[\s,]+/)
    .some((entry) => covers(entry.toLowerCase(), host, port));
  return excluded ? undefined : withScheme(proxy);
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return inRange(entry, host);
  const [name, entryPort] = isIP(entry) === 6 ? [entry] : splitPort(entry);
  if (entryPort !== undefined && entryPort !== port) return false;
  if (isIP(host) !== 0 || isIP(name) !== 0) return name === host;
  const domain = name.replace(/^\*?\./, '');
  return host === domain || host.endsWith(`.${domain}`);
}

function splitPort(entry: string): [string, string?] {
  const match = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(entry);
  return match?.[1] === undefined ? [entry] : match[2] === undefined ? [match[1]] : [match[1], match[2]];
}

function inRange(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits)) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(network, Number(bits), type);
  return range.check(host, type);
}

function withScheme(proxy: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}
