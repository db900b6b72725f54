import { ListenError } from '@catamaran/platform';

/**
 * Starts something on the port people expect, or on a free one when that is taken; `say` then gets a sentence.
 * @throws whatever else `start` rejects with.
 */
export async function onPreferredPort<T>(
  preferred: number,
  start: (port: number) => Promise<T>,
  say: (sentence: string) => void,
): Promise<T> {
  try {
    return await start(preferred);
  } catch (error) {
    if (!(error instanceof ListenError) || error.code !== 'port-taken') throw error;
    say(`port ${preferred} is taken, a free one is used instead`);
    return await start(0);
  }
}
