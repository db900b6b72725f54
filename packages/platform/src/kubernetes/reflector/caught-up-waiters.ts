import { compareResourceVersions } from '../resource-version.js';

interface Waiter {
  readonly version: string;
  resolve(): void;
  reject(reason: Error): void;
}

/** Promises that wait for a resource version to be reached. */
export class CaughtUpWaiters {
  readonly #waiters = new Set<Waiter>();

  /** Resolves once `reached` is told that version or a later one. */
  wait(version: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = (): void => waiter.reject(signal?.reason as Error);
      const settle = (): void => {
        this.#waiters.delete(waiter);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        version,
        resolve: () => {
          settle();
          resolve();
        },
        reject: (reason) => {
          settle();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  reached(version: string): void {
    for (const waiter of this.#waiters) {
      if (compareResourceVersions(version, waiter.version) >= 0) waiter.resolve();
    }
  }

  rejectAll(reason: Error): void {
    for (const waiter of this.#waiters) waiter.reject(reason);
  }
}
