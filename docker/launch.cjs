#!/usr/local/bin/node
// What the commands in /usr/local/bin are: Node.js starts it by its first line, without a shell. The kernel drops a
// signal to process 1 that has no handler, so a pod stopped while the program loads would wait out its grace period:
// with a handler the signal stays until the program's own is there.
const leave = () => process.exit(0);
process.on('SIGTERM', leave).on('SIGINT', leave);
// Not at once: while it has no listener, Node.js takes a signal off the list of those it handles.
process.on('newListener', (name) => process.nextTick(() => process.off(name, leave)));
import('/app/dist/main.js').catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
