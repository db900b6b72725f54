import { decodeWatcherDocument, type WatcherDocument } from '@catamaran/model';
import { request } from 'undici';
import type { ControlPlane } from '../control-plane/control-plane.js';
import { freePorts } from '../process/free-ports.js';
import type { Program } from '../process/program.js';
import { builtMain } from './built-main.js';

export interface LoadWatcherProcess {
  readonly program: Program;
  readonly url: string;
  /** What `/watcher` says now. @throws Error unless it answers 200 with a document. */
  document(): Promise<WatcherDocument>;
  /** Reasons for which figures of a node were left out, from `/debug/nodes`. */
  debugNodes(): Promise<string>;
}

/** The load-watcher as it ships, reading the aggregated metrics API unless `args` name another provider. */
export async function startLoadWatcher(
  plane: ControlPlane,
  options: {
    readonly kubeconfig: string;
    readonly refreshInterval?: string;
    readonly args?: readonly string[];
  },
): Promise<LoadWatcherProcess> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const program = plane.program(
    'load-watcher',
    [
      builtMain('load-watcher'),
      `--kubeconfig=${options.kubeconfig}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      `--refresh-interval=${options.refreshInterval ?? '5s'}`,
      ...(options.args ?? []),
    ],
    process.execPath,
  );
  plane.stoppedAtEnd(program).start();
  await program.ready('serving figures', async () => (await request(`${url}/readyz`)).statusCode === 200);
  const debugNodes = async (): Promise<string> => await (await request(`${url}/debug/nodes`)).body.text();
  return { program, url, document: () => readDocument(url), debugNodes };
}

async function readDocument(url: string): Promise<WatcherDocument> {
  const answer = await request(`${url}/watcher`);
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`/watcher: ${answer.statusCode} ${text}`);
  const decoded = decodeWatcherDocument(text);
  if (!decoded.ok) throw new Error(decoded.problem);
  return decoded.value;
}
