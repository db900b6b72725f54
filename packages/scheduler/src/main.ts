// Signals are heeded before anything is loaded: process 1 would not get them, and others would end without a 0.
const leave = (): void => process.exit(0);
process.on('SIGTERM', leave).on('SIGINT', leave);
const [{ compactHeap, runMain }, { startScheduler }] = await Promise.all([
  import('@catamaran/platform'),
  import('./process/start-scheduler.js'),
]);
compactHeap();
const ended = runMain('scheduler', startScheduler);
// Its own listeners stand, so that a signal always has one.
process.off('SIGTERM', leave).off('SIGINT', leave);
await ended;
