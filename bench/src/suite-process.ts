import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '@catamaran/platform';
import type { Report, Skipped, Suite } from './suite.js';

/** Runs a suite in a fresh process. @throws OperatorError when that ends without a report. */
export async function runSuite({ name }: Suite, stop: AbortSignal): Promise<Report | Skipped> {
  const script = fileURLToPath(new URL('./run-suite.js', import.meta.url));
  const child = fork(script, [name], { signal: stop });
  let report: Report | Skipped | undefined;
  child.once('message', (message) => {
    report = message as Report | Skipped;
  });
  const [code] = (await once(child, 'close').catch((error: unknown) => {
    stop.throwIfAborted();
    throw error;
  })) as [number | null];
  if (report === undefined) throw new OperatorError(`${name} ended without a report (exit ${String(code)})`);
  return report;
}
