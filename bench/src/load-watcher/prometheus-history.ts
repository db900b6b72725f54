import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchNodeAddress } from './bench-provider.js';

const STEP_SECONDS = 60;
const PAST_SECONDS = 3_600;
/** Samples beyond now, so that the history does not end while it is measured. */
const AHEAD_SECONDS = 900;
const TOTAL_BYTES = 64 * 1024 ** 3;

/** A real Prometheus with an hour of node-exporter history of many nodes. */
export interface HistoricPrometheus {
  readonly url: URL;
  /** Queries it has answered so far, by its own counter. */
  queries(): Promise<number>;
  close(): Promise<void>;
}

export async function startHistoricPrometheus(nodeCount: number, port: number): Promise<HistoricPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'catamaran-bench-'));
  const text = join(folder, 'history.om');
  await writeHistory(text, nodeCount);
  await run('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', '--quiet', text, join(folder, 'data')]);
  rmSync(text);
  writeFileSync(join(folder, 'prometheus.yml'), '{}\n');
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const url = new URL(`http://127.0.0.1:${port}`);
  await ready(url);
  return {
    url,
    queries: async () => {
      const page = await (await fetch(new URL('/metrics', url))).text();
      return [...page.matchAll(/^prometheus_http_requests_total\{.*handler="\/api\/v1\/query"\} (\S+)$/gm)]
        .map(([, count]) => Number(count))
        .reduce((sum, count) => sum + count, 0);
    },
    close: async () => {
      const closed = once(prometheus, 'close');
      prometheus.kill('SIGKILL');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Per node: one CPU in the modes idle and user, available and total memory. */
async function writeHistory(path: string, nodeCount: number): Promise<void> {
  const file = createWriteStream(path);
  const endSeconds = Math.floor(Date.now() / 1000) + AHEAD_SECONDS;
  const startSeconds = endSeconds - PAST_SECONDS - AHEAD_SECONDS;
  const write = async (family: string, type: string, line: (node: number, seconds: number) => string) => {
    file.write(`# TYPE ${family} ${type}\n`);
    for (let node = 0; node < nodeCount; node += 1) {
      let chunk = '';
      for (let seconds = startSeconds; seconds <= endSeconds; seconds += STEP_SECONDS)
        chunk += line(node, seconds);
      if (!file.write(chunk)) await once(file, 'drain');
    }
  };
  const instance = (node: number): string => `instance="${benchNodeAddress(node)}:9100",job="node-exporter"`;
  const busyShare = (node: number): number => (node % 95) / 100;
  await write('node_cpu_seconds', 'counter', (node, seconds) => {
    const elapsed = seconds - startSeconds;
    const labels = `${instance(node)},cpu="0"`;
    return (
      `node_cpu_seconds_total{${labels},mode="user"} ${(busyShare(node) * elapsed).toFixed(2)} ${seconds}\n` +
      `node_cpu_seconds_total{${labels},mode="idle"} ${((1 - busyShare(node)) * elapsed).toFixed(2)} ${seconds}\n`
    );
  });
  await write(
    'node_memory_MemTotal_bytes',
    'gauge',
    (node, seconds) => `node_memory_MemTotal_bytes{${instance(node)}} ${TOTAL_BYTES} ${seconds}\n`,
  );
  await write('node_memory_MemAvailable_bytes', 'gauge', (node, seconds) => {
    const available = Math.round(TOTAL_BYTES * (1 - busyShare(node) * (0.9 + (seconds % 7) / 70)));
    return `node_memory_MemAvailable_bytes{${instance(node)}} ${available} ${seconds}\n`;
  });
  file.end('# EOF\n');
  await once(file, 'close');
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}`);
}

async function ready(url: URL): Promise<void> {
  for (;;) {
    const answer = await fetch(new URL('/-/ready', url)).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
