import { runMain } from '@catamaran/platform';
import { startLoadWatcher } from './process/start.js';

await runMain('load-watcher', startLoadWatcher);
