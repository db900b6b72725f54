import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A real Prometheus with an hour of node-exporter history of many nodes. */
export interface HistoricPrometheus {
  readonly url: URL;
  /** Queries it has answered so far, by its own counter. */
  queries(): Promise<number>;
  close(): Promise<void>;
}

export async function startHistoricPrometheus(nodeCount: number): Promise<HistoricPrometheus> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'catamaran-bench-'));
  const children: ChildProcess[] = [];
  const start = (command: string, args: readonly string[]): ChildProcess => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    children.push(child);
    return child;
  };
  const discard = (): void => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', discard);
  await writeData(folder, nodeCount, start);
  const prometheus = start('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ]);
  const closed = once(prometheus, 'close');
  const url = new URL(`http://127.0.0.1:${port}`);
  await ready(url, prometheus);
  return {
    url,
    queries: async () => {
      const page = await (await fetch(new URL('/metrics', url))).text();
      return countedQueries(page);
    },
    close: async () => {
      discard();
      await closed;
      process.off('exit', discard);
      discard();
    },
  };
}

function countedQueries(page: string): number {
  return [...page.matchAll(/^prometheus_http_requests_total\{.*handler="\/api\/v1\/query"\} (\S+)$/gm)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);
}

type Start = (command: string, args: readonly string[]) => ChildProcess;

async function writeData(folder: string, nodeCount: number, start: Start): Promise<void> {
  const text = join(folder, 'history.om');
  const blocks = ['tsdb', 'create-blocks-from', 'openmetrics', '--quiet', text, join(folder, 'data')];
  const writer = fileURLToPath(new URL('./write-history.js', import.meta.url));
  await ended(start(process.execPath, [writer, text, String(nodeCount)]));
  await ended(start('promtool', blocks));
  rmSync(text);
  writeFileSync(join(folder, 'prometheus.yml'), '{}\n');
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${String(code)}`);
}

async function ready(url: URL, prometheus: ChildProcess): Promise<void> {
  for (;;) {
    const answer = await fetch(new URL('/-/ready', url)).catch(() => undefined);
    if (answer?.ok === true) return;
    if (prometheus.exitCode !== null) throw new Error(`prometheus ended with ${prometheus.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
