import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Clock } from '@catamaran/platform';
import { type Dispatcher, Pool } from 'undici';

/** How to prove who we are to Prometheus, and how it proves itself to us. */
export interface ConnectionOptions {
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly skipTlsVerify?: boolean;
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

export interface Connection {
  readonly dispatcher: Dispatcher;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
}

const MAX_CONNECTIONS = 12;
/** A projected token rotates long before it expires; this is soon enough. */
const TOKEN_REUSE_MS = 30_000;

/** @throws an error naming the file when a PEM file can't be read. */
export function openConnection(
  baseUrl: URL,
  options: ConnectionOptions,
  deps: { readonly clock: Clock },
): Connection {
  const pem = (path: string | undefined) =>
    path === undefined || path === '' ? undefined : readFileSync(path, 'utf8');
  const [ca, cert, key] = [pem(options.caFile), pem(options.certFile), pem(options.keyFile)];
  const dispatcher = new Pool(baseUrl.origin, {
    connections: MAX_CONNECTIONS,
    connect: {
      rejectUnauthorized: options.skipTlsVerify !== true,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    },
  });
  const token = tokenReader(options, deps.clock);
  const basic = basicAuthorization(baseUrl);
  return {
    dispatcher,
    headers: async () => {
      const bearer = await token();
      const authorization = bearer === undefined ? basic : `Bearer ${bearer}`;
      return { ...(authorization === undefined ? {} : { authorization }), ...options.headers };
    },
  };
}

function tokenReader(options: ConnectionOptions, clock: Clock): () => Promise<string | undefined> {
  const { tokenFile } = options;
  if (tokenFile === undefined || tokenFile === '') {
    return async () => (options.token === '' ? undefined : options.token);
  }
  let read: { readonly token: string; readonly atMs: number } | undefined;
  return async () => {
    const nowMs = clock.nowMs();
    if (read === undefined || nowMs - read.atMs >= TOKEN_REUSE_MS) {
      read = { token: (await readFile(tokenFile, 'utf8')).trim(), atMs: nowMs };
    }
    return read.token;
  };
}

function basicAuthorization(url: URL): string | undefined {
  if (url.username === '') return undefined;
  const user = decodeURIComponent(url.username);
  return `Basic ${Buffer.from(`${user}:${decodeURIComponent(url.password)}`).toString('base64')}`;
}
