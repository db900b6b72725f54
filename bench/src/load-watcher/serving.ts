import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { createLoadWatcherApp, LoadWatcher } from '@catamaran/load-watcher';
import { MetricsRegistry, SystemClock, silentLogger } from '@catamaran/platform';
import { benchNodeName, benchProvider } from './bench-provider.js';
import type { LoadOrder, LoadResult } from './load-generator.js';

const NODES = 5_000;
const ROUNDS = 5;
const ROUND_MS = 1_000;

interface Case {
  readonly name: string;
  readonly connections: number;
  readonly requests: readonly string[];
}

/** Requests per second of `/watcher` for 5,000 nodes, over those of a bare node:http server with the same buffers. */
const watcher = new LoadWatcher(
  { refreshIntervalMs: 3_600_000, maxAgeMs: 0 },
  { provider: benchProvider(NODES), clock: new SystemClock(), log: silentLogger },
);
watcher.start();
await watcher.settled();
const app = createLoadWatcherApp(
  { config: {} },
  { watcher, clock: new SystemClock(), log: silentLogger, metrics: new MetricsRegistry() },
);
const [ours, bare] = await Promise.all([listen(app.listener), listen(bareListener())]);
for (const one of cases()) {
  const ratios: number[] = [];
  const rates: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const rate: [number, number] = [await load(ours, one), await load(bare, one)];
    rates.push(rate);
    ratios.push(rate[0] / rate[1]);
  }
  const [own = 0, rival = 0] = [0, 1].map((side) => median(rates.map((rate) => rate[side] ?? 0)));
  process.stdout.write(
    `${one.name.padEnd(44)} ${own.toFixed(0)}/s ÷ bare node:http ${rival.toFixed(0)}/s = ${median(ratios).toFixed(2)}\n`,
  );
}
for (const server of [ours, bare]) {
  server.closeAllConnections();
  server.close();
}
await watcher.close();

function cases(): readonly Case[] {
  const head = (path: string, encoding: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
  const hosts = Array.from({ length: 500 }, (_, index) =>
    head(`/watcher?host=${benchNodeName(index * 10)}`, 'identity'),
  );
  return [
    { name: `/watcher, ${NODES} nodes, gzip`, connections: 16, requests: [head('/watcher', 'gzip')] },
    { name: `/watcher, ${NODES} nodes, identity`, connections: 8, requests: [head('/watcher', 'identity')] },
    { name: `/watcher?host=, one of ${NODES} nodes`, connections: 32, requests: hosts },
  ];
}

/** The least a node:http server can do to send the same bytes. */
function bareListener(): RequestListener {
  const encoded = watcher.serve()?.encoded;
  if (encoded === undefined) throw new Error('nothing to serve');
  const whole = encoded.whole.bytes;
  const packed = encoded.gzipReady?.bytes ?? gzipSync(whole);
  const hosts = new Map<string, Buffer>();
  for (let index = 0; index < NODES; index += 1) {
    const name = benchNodeName(index);
    hosts.set(`/watcher?host=${name}`, encoded.host(name)?.bytes ?? Buffer.alloc(0));
  }
  return (request, response) => {
    const host = hosts.get(request.url ?? '');
    const isGzip = host === undefined && request.headers['accept-encoding'] === 'gzip';
    const bytes = host ?? (isGzip ? packed : whole);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
      ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
    });
    response.end(bytes);
  };
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Answers per second. */
async function load(server: Server, { connections, requests }: Case): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const order: LoadOrder = { port, connections, requests, durationMs: ROUND_MS };
  const worker = new Worker(new URL('./load-generator.js', import.meta.url), { workerData: order });
  const result = await new Promise<LoadResult>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
  return (result.answers * 1000) / result.elapsedMs;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
