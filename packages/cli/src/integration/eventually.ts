import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 50;

/**
 * What `attempt` gives once it gives something, for what other processes do in their own time.
 * @throws Error that names `what`, and the last failure, when it takes longer than `timeoutMs`.
 */
export async function eventually<T>(
  what: string,
  timeoutMs: number,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  const endMs = Date.now() + timeoutMs;
  let last: unknown = 'nothing came';
  while (Date.now() < endMs) {
    try {
      const value = await attempt();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    await pause(PAUSE_MS);
  }
  throw new Error(`${what} did not happen within ${timeoutMs} ms: ${String(last)}`);
}
