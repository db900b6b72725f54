import type { Logger } from '../../log/logger.js';

/** Says in one line that list and watch have trouble; repetitions and stacks are for debugging. */
export function reportFailure(
  log: Logger,
  failure: unknown,
  details: { readonly retryInMs: number; readonly failures: number; readonly isNew: boolean },
): void {
  const { isNew, failures } = details;
  const retryInMs = Math.round(details.retryInMs);
  if (isNew) {
    const reason = failure instanceof Error ? failure.message : 'no error was given';
    log.warn('list and watch failed; retrying', { reason, retryInMs });
  }
  log.debug('list and watch failed', { error: failure, retryInMs, failures });
}
