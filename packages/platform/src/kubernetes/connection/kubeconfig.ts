import { delimiter, dirname, resolve } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import type { Clock } from '../../clock/clock.js';
import { maskUserPart } from '../../config/mask-secrets.js';
import { readTextFile } from '../../config/regular-file.js';
import { type ClusterConnection, ClusterConnectionError, type TlsMaterial } from './cluster-connection.js';
import { CurrentCredentials } from './current-credentials.js';
import { KubeconfigEntries } from './kubeconfig-entries.js';
import { requireSoundTls } from './tls-material.js';
import { TokenFile } from './token-file.js';

interface KubeconfigSource {
  /** One path, or several joined as in the variable KUBECONFIG. */
  readonly paths: string;
  readonly context: string | undefined;
}

/**
 * Reads a kubeconfig and the files it names. Exec plugins run now and again when their token expires or is refused.
 * @throws ClusterConnectionError naming the file, the entry and the remedy.
 */
export async function kubeconfigConnection(
  source: KubeconfigSource,
  clock: Clock,
): Promise<ClusterConnection> {
  const config = await load(source);
  const where = `kubeconfig ${source.paths}, context ${config.getCurrentContext()}`;
  const cluster = config.getCurrentCluster();
  if (cluster === null)
    throw new ClusterConnectionError(`${where}: the context names no cluster of the file`);
  checkUrl('server', cluster.server, where);
  if (cluster.proxyUrl) checkUrl('proxy-url', cluster.proxyUrl, where);
  const user = new CurrentCredentials(config, { load: () => load(source), where }, clock);
  const currentTls = async (options?: { readonly fresh?: boolean }): Promise<TlsMaterial> => {
    const { certPem, keyPem } = await user.read(options);
    return { ...(await authorityOf(user.config, where)), ...clientPair(certPem, keyPem) };
  };
  const tls = await currentTls();
  requireSoundTls(tls, where);
  const { token } = await user.read();
  const tokenPath = await tokenPathOf(source, config.getCurrentUser()?.name);
  const tokenFile = tokenPath === undefined ? undefined : new TokenFile(tokenPath, clock);
  const bearerToken = async (options?: { readonly fresh?: boolean }): Promise<string | undefined> => {
    if (tokenFile !== undefined) return await tokenFile.token(options);
    return (await user.read(options)).token;
  };
  return {
    serverUrl: cluster.server.replace(/\/+$/, ''),
    skipTlsVerify: cluster.skipTLSVerify === true,
    describe: where,
    ...tls,
    currentTls,
    ...(tokenFile === undefined && token === undefined ? {} : { bearerToken }),
    ...(cluster.tlsServerName ? { serverName: cluster.tlsServerName } : {}),
    ...(cluster.proxyUrl ? { proxyUrl: cluster.proxyUrl } : {}),
  };
}

async function load(source: KubeconfigSource): Promise<KubeconfigEntries> {
  const [first, ...others] = pathsOf(source).map((path) => {
    try {
      return KubeconfigEntries.read(path);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      // What follows shows the lines around, which may hold a token.
      const detail = message.replace(/:?\n.*/s, '');
      const remedy =
        cause instanceof YAMLParseError
          ? 'correct it'
          : 'give the right path with --kubeconfig or KUBECONFIG';
      throw new ClusterConnectionError(`kubeconfig ${path} can't be read: ${detail}; ${remedy}`, { cause });
    }
  });
  if (first === undefined) throw new ClusterConnectionError('KUBECONFIG names no file');
  for (const other of others) first.merge(other);
  selectContext(first, source);
  return first;
}

function selectContext(config: KubeconfigEntries, source: KubeconfigSource): void {
  const wanted = source.context ?? config.getCurrentContext();
  const names = config.getContexts().map(({ name }) => name);
  if (!names.includes(wanted)) {
    const problem = wanted ? `has no context "${wanted}"` : 'has no current-context';
    const known = names.length === 0 ? 'it has none at all' : `it has ${names.join(', ')}`;
    throw new ClusterConnectionError(`kubeconfig ${source.paths} ${problem}; ${known}`);
  }
  config.setCurrentContext(wanted);
}

async function authorityOf(config: KubeconfigEntries, where: string): Promise<TlsMaterial> {
  const { caFile, caData } = config.getCurrentCluster() ?? {};
  const caPem = await pemOf(caFile, caData, where);
  return caPem === undefined ? {} : { caPem };
}

function clientPair(certPem: string | undefined, keyPem: string | undefined): TlsMaterial {
  return {
    ...(certPem === undefined ? {} : { clientCertPem: certPem }),
    ...(keyPem === undefined ? {} : { clientKeyPem: keyPem }),
  };
}

async function pemOf(
  file: string | undefined,
  data: string | undefined,
  where: string,
): Promise<string | undefined> {
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  if (!file) return undefined;
  return await readTextFile(file).catch((cause: Error) => {
    throw new ClusterConnectionError(
      `${where}: certificate-authority ${file} can't be read: ${cause.message}`,
      {
        cause,
      },
    );
  });
}

/** `tokenFile` of a user, which the client library does not read. */
async function tokenPathOf(
  source: KubeconfigSource,
  userName: string | undefined,
): Promise<string | undefined> {
  for (const path of pathsOf(source)) {
    const document = parse(await readTextFile(path)) as {
      readonly users?: readonly {
        readonly name?: string;
        readonly user?: { readonly tokenFile?: unknown };
      }[];
    } | null;
    const entry = document?.users?.find(({ name }) => name === userName);
    if (entry === undefined) continue;
    const { tokenFile } = entry.user ?? {};
    return typeof tokenFile === 'string' && tokenFile !== '' ? resolve(dirname(path), tokenFile) : undefined;
  }
  return undefined;
}

function pathsOf(source: KubeconfigSource): string[] {
  return source.paths.split(delimiter).filter((path) => path !== '');
}

/** @throws ClusterConnectionError naming the key and, without its user part, the text. */
export function checkUrl(key: string, text: string, where: string): void {
  if (isHttpUrl(text)) return;
  throw new ClusterConnectionError(
    `${where}: ${key} "${maskUserPart(text)}" is not an http or https URL; special characters of user and password must be percent-encoded`,
  );
}

function isHttpUrl(text: string): boolean {
  try {
    const url = new URL(text);
    decodeURIComponent(url.username + url.password);
    return /^https?:$/.test(url.protocol);
  } catch {
    return false;
  }
}
