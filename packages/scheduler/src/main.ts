import { runMain } from '@catamaran/platform';
import { startScheduler } from './process/start-scheduler.js';

await runMain('scheduler', startScheduler);
