import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../clock/clock.js';
import { InactivityTimer } from './inactivity-timer.js';

/** A burst of changes is taken in so many at a time; between them the process answers probes. */
const EVENTS_PER_TURN = 100;

export interface LiveEventsLimits {
  readonly clock: Clock;
  /** A stream that says nothing for so long is left. */
  readonly inactivityMs: number;
  readonly signal: AbortSignal;
}

/**
 * The events of one stream as long as it lives. Silence ends it like a server's own end: a server says nothing of a
 * collection in which nothing happens, bookmarks included, so that only another attempt tells a quiet one from a dead.
 * @throws the signal's reason, or what the stream throws.
 */
export async function* liveEvents<E>(
  open: (signal: AbortSignal) => AsyncIterable<E>,
  { clock, inactivityMs, signal }: LiveEventsLimits,
): AsyncGenerator<E> {
  const attempt = new AbortController();
  const onStop = (): void => attempt.abort(signal.reason);
  signal.addEventListener('abort', onStop, { once: true });
  const silent = new Error(`the watch said nothing for ${inactivityMs / 1000} s`);
  const silence = new InactivityTimer(clock, inactivityMs, () => attempt.abort(silent));
  let eventCount = 0;
  try {
    for await (const event of open(attempt.signal)) {
      attempt.signal.throwIfAborted();
      silence.touch();
      yield event;
      eventCount += 1;
      if (eventCount % EVENTS_PER_TURN === 0) await setImmediate();
    }
  } catch (error) {
    if (error !== silent) throw error;
  } finally {
    silence.close();
    signal.removeEventListener('abort', onStop);
  }
}
