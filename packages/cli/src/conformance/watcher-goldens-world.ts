import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createLoadWatcherApp,
  createProvider,
  LoadWatcher,
  type ProviderSpec,
} from '@catamaran/load-watcher';
import type { Node, NodeMetricsObject } from '@catamaran/model';
import {
  type ClusterApi,
  ClusterApiError,
  MetricsRegistry,
  SystemClock,
  silentLogger,
  startHttpServer,
  VirtualClock,
} from '@catamaran/platform';
import type { GoldenScenario } from './watcher-goldens-file.js';

/** The real load-watcher over HTTP, reading a stand-in of the recorded source. */
export interface GoldenWorld {
  readonly url: string;
  close(): Promise<void>;
}

interface StandIn {
  readonly spec: ProviderSpec;
  readonly api?: ClusterApi;
  close(): Promise<void>;
}

/** Starts both and resolves when the first refresh has ended. The recording's fetch took one second: so does this. */
export async function startGoldenWorld(
  scenario: GoldenScenario,
  endUnixSeconds: number,
): Promise<GoldenWorld> {
  const clock = new VirtualClock(endUnixSeconds * 1000);
  const onFirstRequest = once(() => void clock.advanceBy(1000));
  const source =
    scenario.provider === 'Prometheus'
      ? await startPrometheus(scenario, onFirstRequest)
      : standInCluster(scenario, new Date(clock.nowMs()).toISOString(), onFirstRequest);
  const provider = createProvider(
    source.spec,
    { refreshIntervalMs: 60_000 },
    { clock: new SystemClock(), random: () => 0, api: source.api },
  );
  const metrics = new MetricsRegistry();
  const watcher = new LoadWatcher(
    { refreshIntervalMs: 60_000, maxAgeMs: 300_000 },
    { provider, clock, log: silentLogger, metrics },
  );
  const app = createLoadWatcherApp({ config: {} }, { watcher, clock, log: silentLogger, metrics });
  const server = await startHttpServer(
    { host: '127.0.0.1', port: 0, listener: app.listener, name: 'load-watcher' },
    { log: silentLogger },
  );
  watcher.start();
  await watcher.settled();
  return {
    url: server.url,
    close: async () => {
      app.drain();
      await Promise.all([server.close(), watcher.close()]);
      await source.close();
    },
  };
}

async function startPrometheus(scenario: GoldenScenario, onFirstRequest: () => void): Promise<StandIn> {
  let delayMs = (scenario.delay ?? 0) * 1000;
  const server = createServer((request, response) => {
    onFirstRequest();
    const waitMs = delayMs;
    delayMs = 0;
    void readQuery(request).then((query) => {
      const { status, body } = prometheusAnswer(scenario, request, query);
      const answer = () => response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
      new SystemClock().schedule(waitMs, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    spec: { name: 'Prometheus', baseUrl: new URL(`http://127.0.0.1:${port}`) },
    close: () => stop(server),
  };
}

async function readQuery(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const search = (request.url ?? '').split('?')[1] ?? '';
  return (
    new URLSearchParams(request.method === 'POST' ? Buffer.concat(chunks).toString() : search).get('query') ??
    ''
  );
}

/** Only recording rules have data here: of any other query the vector is empty. */
function prometheusAnswer(
  scenario: GoldenScenario,
  request: IncomingMessage,
  query: string,
): { readonly status: number; readonly body: string } {
  if (!(request.url ?? '').startsWith('/api/v1/query'))
    return { status: 200, body: 'Prometheus Server is Healthy.\n' };
  if (request.method === 'POST' && scenario.post !== undefined) return failure(scenario.post);
  // The times of samples that come with a deviation are of no interest here.
  const [, figures = query] = /^\((.*)\) or label_replace\(/.exec(query) ?? [];
  const rule =
    /^(avg|stddev)_over_time\(([^[\]{}()]+)\[(?:5|10|15)m\]\)(?: and count_over_time\(.*\) > 1)?$/.exec(
      figures,
    );
  if (rule === null) return success([]);
  for (const [pattern, status] of Object.entries(scenario.fail ?? {})) {
    if (new RegExp(pattern).test(query)) return failure(status);
  }
  return success(scenario.series?.[`${rule[1]} ${rule[2]}`] ?? []);
}

function success(samples: NonNullable<GoldenScenario['series']>[string]): { status: number; body: string } {
  const result = samples.map(({ metric, value }) => ({ metric, value: [1800000000, value] }));
  return { status: 200, body: JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }) };
}

function failure(status: number): { status: number; body: string } {
  return {
    status,
    body: JSON.stringify({ status: 'error', errorType: 'execution', error: 'recorded failure' }),
  };
}

function standInCluster(scenario: GoldenScenario, timestamp: string, onFirstRequest: () => void): StandIn {
  const nodes = Object.entries(scenario.nodes ?? {}).map(
    ([name, { capacity, allocatable }]): Node => ({
      metadata: { name },
      status: { capacity: resources(capacity), allocatable: resources(allocatable) },
    }),
  );
  const usage = Object.entries(scenario.usage ?? {}).map(
    ([name, pair]): NodeMetricsObject => ({
      metadata: { name },
      timestamp,
      usage: resources(pair),
    }),
  );
  const api = {
    list: async () => ({ items: nodes, resourceVersion: '1' }),
    listNodeMetrics: async () => {
      onFirstRequest();
      const status = scenario.metricsStatus ?? 200;
      if (status === 200) return usage;
      throw new ClusterApiError('unavailable', `HTTP ${status}`, { httpStatus: status });
    },
  } as Pick<ClusterApi, 'list' | 'listNodeMetrics'> as ClusterApi;
  return { spec: { name: 'KubernetesMetricsServer' }, api, close: async () => undefined };
}

function resources([cpu, memory]: readonly [string, string]): { cpu: string; memory: string } {
  return { cpu, memory };
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
