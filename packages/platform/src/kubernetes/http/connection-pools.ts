import type { Dispatcher } from 'undici';
import type { Clock } from '../../clock/clock.js';
import type { Logger } from '../../log/logger.js';
import type { ClusterConnection, TlsMaterial } from '../connection/cluster-connection.js';
import { isSameTls } from '../connection/tls-material.js';
import { openDispatcher } from './dispatchers.js';
import { RotatingTls } from './rotating-tls.js';

const CONNECT_TIMEOUT_MS = 5_000;
const HEADERS_TIMEOUT_MS = 30_000;

export interface ConnectionPoolsOptions {
  readonly connection: ClusterConnection;
  /** Silence within an answer. */
  readonly requestTimeoutMs: number;
  readonly watchSilenceMs: number;
  readonly maxConnections: number;
}

/** Connections of one purpose each: a watch holds its own. */
export type PoolName = 'calls' | 'watches';

/**
 * The sockets to one API server. When certificates rotate, a new set of pools takes over; the old one finishes what is
 * under way, since a server judges a kept connection by the certificate it was opened with.
 */
export class ConnectionPools {
  readonly #options: ConnectionPoolsOptions;
  readonly #tls: RotatingTls;
  readonly #open = new Set<Dispatcher>();
  #material: TlsMaterial;
  #pools: Readonly<Record<PoolName, Dispatcher>>;
  #isClosed = false;

  constructor(options: ConnectionPoolsOptions, deps: { readonly clock: Clock; readonly log: Logger }) {
    this.#options = options;
    this.#tls = new RotatingTls(options.connection, deps);
    this.#material = options.connection;
    this.#pools = this.#openPools(options.connection);
  }

  async pool(name: PoolName): Promise<Dispatcher> {
    const material = await this.#tls.current();
    if (!this.#isClosed && !isSameTls(material, this.#material)) {
      const old = Object.values(this.#pools);
      this.#material = material;
      this.#pools = this.#openPools(material);
      for (const pool of old) void this.#retire(pool);
    }
    return this.#pools[name];
  }

  /** A certificate was refused, by them or by us: look at the files before the next connection. */
  suspectCertificates(): void {
    this.#tls.suspect();
  }

  /** Cuts everything, retired pools too. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((pool) => pool.destroy()));
    this.#open.clear();
  }

  #openPools(material: TlsMaterial): Readonly<Record<PoolName, Dispatcher>> {
    const { requestTimeoutMs, watchSilenceMs, maxConnections, connection } = this.#options;
    const timeouts = { connectMs: CONNECT_TIMEOUT_MS, headersMs: HEADERS_TIMEOUT_MS };
    const current = { connection, material };
    const calls = openDispatcher(current, { ...timeouts, bodyMs: requestTimeoutMs }, maxConnections);
    const watches = openDispatcher(current, { ...timeouts, bodyMs: watchSilenceMs }, 0);
    this.#open.add(calls).add(watches);
    return { calls, watches };
  }

  async #retire(pool: Dispatcher): Promise<void> {
    await pool.close().catch(() => undefined);
    this.#open.delete(pool);
  }
}
