import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const POLL_MS = 100;

/** Runs `work` while no other process on this machine holds the lock file; waits for one that does. */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  for (let waited = 0; !take(path); waited++) {
    if (waited === 10) {
      process.stderr.write('catamaran: waiting for another run that installs or compiles …\n');
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw error;
    }
  }
  if (isAbandoned(path)) {
    rmSync(path, { force: true });
  }
  return false;
}

/** The process that wrote it is gone; an empty file is being written just now. */
function isAbandoned(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    if (pid > 0) {
      process.kill(pid, 0);
    }
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
