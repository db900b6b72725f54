import { X509Certificate } from 'node:crypto';
import { ok, problem, type Result } from '@catamaran/model';
import type { Clock } from '../../clock/clock.js';
import type { Logger } from '../../log/logger.js';
import { OperatorError } from '../../process/operator-error.js';
import { type KeyPair, type KeyPairPaths, readKeyPair, readText } from './key-pair.js';

/** What a server proves itself with, and whose clients it knows. */
export interface ServerIdentity extends KeyPair {
  /** Authorities that vouch for clients. */
  readonly clientCaPem?: string;
}

export interface CertificateFilesOptions {
  /** Undefined: the pair never changes. */
  readonly pair: KeyPairPaths | KeyPair;
  readonly clientCaPath?: string | undefined;
}

/** Mounted secrets change within a minute or so; two small files are quickly read. */
const REREAD_MS = 5_000;

/** Certificate files that others replace. A bad set is reported once and the good one before it stays. */
export class CertificateFiles {
  readonly #options: CertificateFilesOptions;
  readonly #deps: { readonly clock: Clock; readonly log: Logger };
  #shown = '';
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(options: CertificateFilesOptions, deps: { readonly clock: Clock; readonly log: Logger }) {
    this.#options = options;
    this.#deps = deps;
  }

  /** @throws OperatorError naming the files. */
  async first(): Promise<ServerIdentity> {
    const read = await this.#read();
    if (!read.ok) throw new OperatorError(read.problem);
    this.#shown = JSON.stringify(read);
    return read.value;
  }

  /** Looks for changes until `close`. */
  follow(use: (identity: ServerIdentity) => void): void {
    if (this.#closed) return;
    this.#cancel = this.#deps.clock.schedule(REREAD_MS, () => {
      void this.#again(use).finally(() => this.follow(use));
    });
  }

  /** Idempotent. */
  close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    return Promise.resolve();
  }

  async #again(use: (identity: ServerIdentity) => void): Promise<void> {
    const read = await this.#read();
    const shown = JSON.stringify(read);
    if (this.#closed || shown === this.#shown) return;
    this.#shown = shown;
    if (read.ok) {
      use(read.value);
      this.#deps.log.info('certificate read again', {
        validUntil: new X509Certificate(read.value.certPem).validTo,
      });
    } else {
      this.#deps.log.error('certificate not changed: the new files are no good', { reason: read.problem });
    }
  }

  async #read(): Promise<Result<ServerIdentity>> {
    const { pair, clientCaPath } = this.#options;
    const keyPair = 'certPath' in pair ? await readKeyPair(pair) : ok(pair);
    if (!keyPair.ok || clientCaPath === undefined) return keyPair;
    const authorities = await readAuthorities(clientCaPath);
    return authorities.ok ? ok({ ...keyPair.value, clientCaPem: authorities.value }) : authorities;
  }
}

async function readAuthorities(path: string): Promise<Result<string>> {
  const text = await readText(path);
  if (!text.ok) return text;
  try {
    void new X509Certificate(text.value);
    return text;
  } catch (error) {
    return problem(`${path} holds no certificate in PEM: ${(error as Error).message}`);
  }
}
