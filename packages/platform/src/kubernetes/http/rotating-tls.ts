import type { Clock } from '../../clock/clock.js';
import type { Logger } from '../../log/logger.js';
import type { ClusterConnection, TlsMaterial } from '../connection/cluster-connection.js';
import { isSameTls, tlsProblem } from '../connection/tls-material.js';

/** As often as token files are read. */
const REREAD_AFTER_MS = 60_000;
/** Refusals may come by the hundred; an exec plugin must not run for each. */
const SUSPECT_AGAIN_AFTER_MS = 1_000;

/** Certificate files that others replace: the last ones that could be used, looked at again each minute. */
export class RotatingTls {
  readonly #connection: ClusterConnection;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #log: Logger;
  #present: TlsMaterial;
  #readMs: number;
  #freshMs: number | undefined;
  #isSuspect = false;
  #reading: Promise<void> | undefined;
  #toldProblem: string | undefined;

  constructor(connection: ClusterConnection, deps: { readonly clock: Clock; readonly log: Logger }) {
    this.#connection = connection;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#present = connection;
    this.#readMs = deps.clock.nowMs();
  }

  /** The server or we refused a certificate: the files are read before the next connection. */
  suspect(): void {
    this.#isSuspect = true;
  }

  /** Never rejects: what can't be used is told once, and the material before it stays. */
  async current(): Promise<TlsMaterial> {
    const { currentTls } = this.#connection;
    if (currentTls !== undefined && this.#isDue()) this.#reading ??= this.#read(currentTls);
    await this.#reading;
    return this.#present;
  }

  #isDue(): boolean {
    const nowMs = this.#clock.nowMs();
    if (Math.abs(nowMs - this.#readMs) >= REREAD_AFTER_MS) return true;
    const sinceFreshMs = Math.abs(nowMs - (this.#freshMs ?? Number.NEGATIVE_INFINITY));
    return this.#isSuspect && sinceFreshMs >= SUSPECT_AGAIN_AFTER_MS;
  }

  async #read(read: NonNullable<ClusterConnection['currentTls']>): Promise<void> {
    const fresh = this.#isSuspect;
    this.#isSuspect = false;
    this.#readMs = this.#clock.nowMs();
    if (fresh) this.#freshMs = this.#readMs;
    try {
      const next = await read({ fresh });
      const problem = tlsProblem(next);
      if (problem !== undefined) this.#keepOld(problem);
      else this.#take(next);
    } catch (error) {
      this.#keepOld(error instanceof Error ? error.message : String(error));
    } finally {
      this.#reading = undefined;
    }
  }

  #take(next: TlsMaterial): void {
    this.#toldProblem = undefined;
    if (isSameTls(this.#present, next)) return;
    this.#present = next;
    this.#log.info('certificates for the API server have changed; new connections use the new ones', {
      source: this.#connection.describe,
    });
  }

  #keepOld(reason: string): void {
    if (this.#toldProblem !== reason) {
      this.#log.warn('new certificates for the API server cannot be used; keeping the old ones', {
        source: this.#connection.describe,
        reason,
      });
    }
    this.#toldProblem = reason;
  }
}
