export interface UntilOptions {
  /** For the message. */
  readonly what: string;
  readonly timeoutMs: number;
  readonly everyMs?: number;
}

/**
 * Asks again and again until the answer is neither undefined nor false. A rejection counts as "not yet".
 * @throws Error with the last failure when time is up.
 */
export async function until<T>(
  { what, timeoutMs, everyMs = 50 }: UntilOptions,
  ask: () => Promise<T | undefined | false>,
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs;
  let last: Error | undefined;
  for (;;) {
    const answer = await ask().catch((error: Error) => {
      last = error;
      return undefined;
    });
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadlineMs) {
      const because = last === undefined ? '' : `: ${last.message}`;
      throw new Error(`waited ${timeoutMs / 1000} s in vain for ${what}${because}`, { cause: last });
    }
    await pause(everyMs);
  }
}

export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
}
