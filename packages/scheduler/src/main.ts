import { setFlagsFromString } from 'node:v8';
import { runMain } from '@catamaran/platform';
import { startScheduler } from './process/start-scheduler.js';

// By itself V8 lets a small heap grow to a multiple of what is alive before it collects the whole of it. Calls under way
// live just long enough to become old; with this a third less memory is held, at the same rate of bindings.
setFlagsFromString('--heap-growing-percent=50');

await runMain('scheduler', startScheduler);
