import type { Node, NodeMetricsObject } from '@catamaran/model';
import { type ClusterApi, ClusterApiError, SystemClock } from '@catamaran/platform';
import {
  describeMetricsProvider,
  FakeDatadog,
  FakePrometheus,
  FakeSignalFx,
  type HostMeasurement,
  InMemoryMetricsProvider,
  type PrometheusReply,
  type SourceWorld,
} from '@catamaran/testkit';
import { createProvider } from './create-provider.js';
import { ProviderError } from './metrics-provider.js';

const TIMING = { refreshIntervalMs: 60_000, callTimeoutMs: 500 };

describeMetricsProvider('in-memory source', async () => {
  const provider = new InMemoryMetricsProvider();
  return {
    provider,
    show: ({ usage, outage }) => {
      provider.usage = usage;
      provider.failure = outage === undefined ? undefined : new ProviderError('unreachable', 'no answer');
      provider.delay = outage === 'hangs' ? new Promise((resolve) => setTimeout(resolve, 100)) : undefined;
    },
    close: () => provider.close(),
  };
});

describeMetricsProvider('Metrics Server', async () => {
  let world: SourceWorld = { nodes: [], usage: {} };
  const api = clusterOf(() => world);
  const provider = createProvider({ name: 'KubernetesMetricsServer' }, TIMING, deps(api));
  return {
    provider,
    show: (next) => {
      world = next;
    },
    close: () => provider.close(),
  };
});

for (const [title, label] of [
  ['Prometheus, names in instance', (name: string) => ({ instance: name })],
  ['Prometheus, names in label node', (name: string) => ({ instance: '10.0.0.1:9100', node: name })],
] as const) {
  describeMetricsProvider(title, async () => {
    const server = await FakePrometheus.start();
    let world: SourceWorld = { nodes: [], usage: {} };
    server.reply = ({ promql, path }) => {
      if (world.outage === 'hangs') return 'hang';
      if (world.outage === 'refuses') return { status: 401, body: 'no entry', contentType: 'text/plain' };
      return path === '/-/healthy' ? { status: 200, body: 'Healthy' } : answer(promql, world, label);
    };
    const provider = createProvider(
      { name: 'Prometheus', baseUrl: server.url },
      TIMING,
      deps(clusterOf(() => ({ nodes: world.nodes, usage: {} }))),
    );
    return {
      provider,
      show: (next) => {
        world = next;
      },
      close: async () => {
        await provider.close();
        await server.close();
      },
    };
  });
}

for (const name of ['SignalFx', 'Datadog'] as const) {
  describeMetricsProvider(name, async () => {
    const service = await (name === 'SignalFx' ? FakeSignalFx.start() : FakeDatadog.start());
    let world: SourceWorld = { nodes: [], usage: {} };
    service.instead = () => {
      if (world.outage === 'hangs') return 'hang';
      return world.outage === 'refuses' ? { status: 503, body: 'no entry' } : undefined;
    };
    const provider = createProvider(
      { name, baseUrl: service.url, connection: { token: 'sesame' }, appKey: 'open' },
      TIMING,
      deps(clusterOf(() => ({ nodes: world.nodes, usage: {} }))),
    );
    return {
      provider,
      show: (next) => {
        world = next;
        service.measurements = measurementsOf(next);
      },
      close: async () => {
        await provider.close();
        await service.close();
      },
    };
  });
}

/** Each host reports once, at the start of the minute of the fetch. */
function measurementsOf({ usage }: SourceWorld): readonly HostMeasurement[] {
  return Object.entries(usage).flatMap(([host, { cpu, memory }]) =>
    (
      [
        ['CPU', cpu],
        ['Memory', memory],
      ] as const
    ).flatMap(([resource, percent]) =>
      percent === undefined ? [] : [{ host, resource, points: [[1_800_000_000_000, percent]] as const }],
    ),
  );
}

function deps(api: ClusterApi) {
  return { clock: new SystemClock(), random: () => 0, api };
}

function answer(
  promql: string,
  { usage }: SourceWorld,
  label: (name: string) => Record<string, string>,
): PrometheusReply {
  const isRaw = promql.includes('node_cpu_seconds_total') || promql.includes('node_memory_MemTotal_bytes');
  if (!isRaw || promql.includes('stddev')) return [];
  const key = promql.includes('node_cpu') ? 'cpu' : 'memory';
  return Object.entries(usage).flatMap(([name, figures]) => {
    const percent = figures[key];
    return percent === undefined ? [] : [{ labels: label(name), value: String(percent / 100) }];
  });
}

/** Nodes of 4 cores and 8Gi, and the metrics API. */
function clusterOf(world: () => SourceWorld): ClusterApi {
  const call = async <T>(signal: AbortSignal, value: () => T): Promise<T> => {
    if (world().outage === 'refuses')
      throw new ClusterApiError('unavailable', 'HTTP 503', { httpStatus: 503 });
    if (world().outage === 'hangs')
      await new Promise((_, reject) => signal.addEventListener('abort', reject));
    return value();
  };
  const node = (name: string): Node => ({
    metadata: { name },
    status: { capacity: { cpu: '4', memory: '8Gi' } },
  });
  const usageOf = ([name, { cpu, memory }]: [string, SourceWorld['usage'][string]]): NodeMetricsObject => ({
    metadata: { name },
    timestamp: '2027-01-15T08:00:00Z',
    usage: {
      ...(cpu === undefined ? {} : { cpu: `${cpu * 40}m` }),
      ...(memory === undefined ? {} : { memory: `${(memory * 8 * 1024 ** 3) / 100}` }),
    },
  });
  return {
    list: (_kind: string, _query: object, signal: AbortSignal) =>
      call(signal, () => ({ items: world().nodes.map(node), resourceVersion: '1' })),
    listNodeMetrics: (signal: AbortSignal) => call(signal, () => Object.entries(world().usage).map(usageOf)),
  } as Partial<ClusterApi> as ClusterApi;
}
