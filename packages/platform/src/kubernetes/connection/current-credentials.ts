import type { Clock } from '../../clock/clock.js';
import { type Credentials, credentialsOf } from './credentials.js';
import type { KubeconfigEntries } from './kubeconfig-entries.js';

/** Refusals may come by the hundred; an exec plugin must not run for each. */
const FRESH_AGAIN_AFTER_MS = 1_000;

interface Reading {
  readonly isFresh: boolean;
  readonly credentials: Promise<Credentials>;
}

/** Credentials of a kubeconfig's user as they are now. Those who ask at the same time share one run of an exec plugin. */
export class CurrentCredentials {
  readonly #load: () => Promise<KubeconfigEntries>;
  readonly #where: string;
  readonly #clock: Pick<Clock, 'nowMs'>;
  #config: KubeconfigEntries;
  #freshMs: number | undefined;
  #reading: Reading | undefined;

  constructor(
    config: KubeconfigEntries,
    source: { readonly load: () => Promise<KubeconfigEntries>; readonly where: string },
    clock: Pick<Clock, 'nowMs'>,
  ) {
    this.#config = config;
    this.#load = source.load;
    this.#where = source.where;
    this.#clock = clock;
  }

  /** As it was read last. */
  get config(): KubeconfigEntries {
    return this.#config;
  }

  /** `fresh` reads the kubeconfig anew, unless that was done within a second. @throws ClusterConnectionError. */
  async read(options: { readonly fresh?: boolean } = {}): Promise<Credentials> {
    const isFresh = options.fresh === true && !this.#isFreshNow();
    const shared = this.#reading;
    if (shared !== undefined && (shared.isFresh || !isFresh)) return await shared.credentials;
    const reading: Reading = { isFresh, credentials: this.#read(isFresh) };
    this.#reading = reading;
    try {
      return await reading.credentials;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  /** New entries, because the old one keeps its exec plugin's token until it expires, refused or not. */
  async #read(isFresh: boolean): Promise<Credentials> {
    if (isFresh) {
      this.#config = await this.#load();
      this.#freshMs = this.#clock.nowMs();
    }
    return await credentialsOf(this.#config, this.#where);
  }

  #isFreshNow(): boolean {
    if (this.#freshMs === undefined) return false;
    return Math.abs(this.#clock.nowMs() - this.#freshMs) < FRESH_AGAIN_AFTER_MS;
  }
}
