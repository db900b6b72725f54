import type { Logger } from '../../log/logger.js';
import { isClusterApiError } from '../cluster-api.js';
import { connectionTroubleOf } from '../http/connection-failure.js';

/** More kinds of reasons in one outage help nobody. */
const MOST_WARNINGS = 4;

/** Says in a line for each kind of reason that list and watch have trouble; repetitions and stacks are for debugging. */
export class FailureReport {
  readonly #log: Logger;
  readonly #told = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  get isFailing(): boolean {
    return this.#told.size > 0;
  }

  failed(failure: unknown, attempt: { readonly retryInMs: number; readonly failures: number }): void {
    const retryInMs = Math.round(attempt.retryInMs);
    const kind = kindOf(failure);
    if (!this.#told.has(kind) && this.#told.size < MOST_WARNINGS) {
      this.#told.add(kind);
      const reason = failure instanceof Error ? failure.message : 'no error was given';
      this.#log.warn('list and watch failed; retrying', { reason, retryInMs });
    }
    this.#log.debug('list and watch failed', { error: failure, retryInMs, failures: attempt.failures });
  }

  healthy(): void {
    if (this.isFailing) this.#log.info('the watch is healthy again');
    this.#told.clear();
  }
}

/** Two failures of one kind have the same remedy, more or less. */
function kindOf(failure: unknown): string {
  if (!isClusterApiError(failure)) return 'other';
  return failure.httpStatus === 0 && failure.code === 'unavailable'
    ? connectionTroubleOf(failure.cause)
    : failure.code;
}
