import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createLoadWatcherApp, LoadWatcher } from '@catamaran/load-watcher';
import { MetricsRegistry, SystemClock, silentLogger } from '@catamaran/platform';
import type { Comparison, Suite } from '../suite.js';
import { benchNodeName, benchProvider } from './bench-provider.js';
import { generateLoad, requestFor } from './generate-load.js';

const NODES = 5_000;
/** Many and short: what else the machine does then hits both alike. */
const ROUNDS = 15;
const ROUND_MS = 400;

interface Case {
  readonly name: string;
  readonly connections: number;
  readonly requests: readonly string[];
}

export const servingSuite: Suite = {
  name: 'serving',
  summary: `Answers a second of /watcher with ${NODES} nodes, against a bare node:http server with the same bytes.`,
  run: async (say) => {
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
    const servers = await Promise.all([listen(app.listener), listen(bareListener(watcher))]);
    const comparisons: Comparison[] = [];
    const facts: string[] = [];
    for (const each of cases()) {
      say(each.name);
      const { comparison, fact } = await compare(each, servers);
      comparisons.push(comparison);
      facts.push(fact);
    }
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await watcher.close();
    return { comparisons, facts };
  },
};

/** Both in turn, so that a busy moment of the machine hits both. */
async function compare(
  each: Case,
  [ours, bare]: readonly [Server, Server],
): Promise<{ readonly comparison: Comparison; readonly fact: string }> {
  const own: Served[] = [];
  const rival: Served[] = [];
  // The first round of each is not measured: then the engine compiles.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const pair = [await load(ours, each), await load(bare, each)] as const;
    if (round === 0) continue;
    own.push(pair[0]);
    rival.push(pair[1]);
  }
  const rate = (served: readonly Served[]): number => median(served.map(({ perSecond }) => perSecond));
  const cpu = (served: readonly Served[]): string =>
    median(served.map(({ cpuMicroseconds }) => cpuMicroseconds)).toPrecision(3);
  return {
    comparison: {
      what: each.name,
      unit: 'per second',
      ours: rate(own),
      rival: rate(rival),
      rivalName: 'bare node:http',
    },
    fact: `${each.name}: ${cpu(own)} µs CPU of the server for an answer, bare node:http ${cpu(rival)} µs.`,
  };
}

function cases(): readonly Case[] {
  const hosts = Array.from({ length: 500 }, (_, index) =>
    requestFor(`/watcher?host=${benchNodeName(index * 10)}`, 'identity'),
  );
  return [
    { name: `/watcher, ${NODES} nodes, gzip`, connections: 16, requests: [requestFor('/watcher', 'gzip')] },
    {
      name: `/watcher, ${NODES} nodes, identity`,
      connections: 8,
      requests: [requestFor('/watcher', 'identity')],
    },
    { name: `/watcher?host=, one of ${NODES} nodes`, connections: 32, requests: hosts },
  ];
}

/** The least a node:http server can do to send the same bytes. */
function bareListener(watcher: LoadWatcher): RequestListener {
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

interface Served {
  readonly perSecond: number;
  /** Of this process, for one answer; unlike the rate it hardly depends on what else runs on the machine. */
  readonly cpuMicroseconds: number;
}

async function load(server: Server, { connections, requests }: Case): Promise<Served> {
  const { port } = server.address() as AddressInfo;
  const before = process.cpuUsage();
  const { answers, elapsedMs } = await generateLoad({ port, connections, requests, durationMs: ROUND_MS });
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (answers * 1000) / elapsedMs, cpuMicroseconds: (user + system) / answers };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
