import type { WatcherClient, WatcherState } from '@catamaran/load-watcher/client';
import type { KubernetesEvent, KubernetesObject, Pod, PodCondition, WatcherDocument } from '@catamaran/model';
import {
  type BindRequest,
  type ClusterApi,
  ClusterApiError,
  InMemoryCluster,
  type Logger,
  MetricsRegistry,
  type PodStatusPatch,
  type ResourceKind,
  type ResourceTypes,
  silentLogger,
  VirtualClock,
  type WatchEvent,
  type WatchQuery,
} from '@catamaran/platform';
import { loadSchedulerConfig } from '../config/load-scheduler-config.js';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import { SchedulerService } from './scheduler-service.js';
import type { SchedulerServiceOptions } from './scheduler-service-options.js';

/** 2026-01-01T00:00:00Z. */
export const START_MS = Date.UTC(2026, 0, 1);
const WATCHER = 'http://watcher.example:2020';

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

/** Unlimited calls, so that no test waits for a rate limit by accident. */
const UNLIMITED = 'clientConnection: {qps: -1}\nleaderElection: {leaderElect: false}\n';

export const PACKING = `${UNLIMITED}profiles:
- schedulerName: packer
  plugins: {score: {disabled: [{name: "*"}], enabled: [{name: TargetLoadPacking}]}}
  pluginConfig:
  - {name: TargetLoadPacking, args: {watcherAddress: "${WATCHER}", metricsMaxAge: 5m, whenBlind: useRequests}}
`;

export const PLAIN = `${UNLIMITED}profiles: [{schedulerName: packer}]\n`;

/** A watcher that knows what the test tells it. */
class ToldWatcher implements WatcherClient {
  #state: WatcherState = { document: undefined, receivedAtMs: undefined, lastFailure: undefined };
  fetches = 0;

  tell(cpuPercentByNode: Readonly<Record<string, number>>, endMs: number): void {
    const endUnixSeconds = Math.floor(endMs / 1000);
    const document: WatcherDocument = {
      timestampUnixSeconds: endUnixSeconds,
      window: { duration: '15m', startUnixSeconds: endUnixSeconds - 900, endUnixSeconds },
      source: 'Prometheus',
      nodes: new Map(
        Object.entries(cpuPercentByNode).map(([node, value]) => [
          node,
          [{ name: 'cpu', type: 'CPU', operator: 'AVG', rollup: '15m', value }],
        ]),
      ),
    };
    this.#state = { document, receivedAtMs: endMs, lastFailure: undefined };
  }

  fail(message: string): void {
    this.#state = { ...this.#state, lastFailure: { code: 'unreachable', message } };
  }

  current(): WatcherState {
    return this.#state;
  }

  refresh(): Promise<WatcherState> {
    this.fetches += 1;
    return Promise.resolve(this.#state);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export interface LogLine {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function configOf(text: string): SchedulerConfig {
  const loaded = loadSchedulerConfig(`${HEAD}${text}`, 'test.yaml');
  if (!loaded.ok) {
    throw new Error(loaded.problems.join('\n'));
  }
  return loaded.config;
}

/** What a service wrote to the cluster, in order. */
export interface Written {
  readonly events: KubernetesEvent[];
  readonly series: { readonly name: string; readonly count: number }[];
  readonly conditions: PodStatusPatch[];
  readonly bindings: BindRequest[];
}

/** Lets a test step in before or after a call; what it throws is the call's outcome. */
export interface Intercept {
  bind?(request: BindRequest, proceed: () => Promise<void>): Promise<void>;
  getPod?(proceed: () => Promise<Pod | undefined>): Promise<Pod | undefined>;
  patch?(proceed: () => Promise<void>): Promise<void>;
  event?(proceed: () => Promise<void>): Promise<void>;
  /** What lists and watches give in place of an object. */
  tamper?(object: KubernetesObject): unknown;
}

/** A cluster in memory with one or more schedulers and a clock that the test moves. */
export class SchedulerWorld {
  readonly clock = new VirtualClock(START_MS);
  readonly cluster = new InMemoryCluster({}, { clock: this.clock });
  readonly watcher = new ToldWatcher();
  readonly written: Written = { events: [], series: [], conditions: [], bindings: [] };
  readonly log: LogLine[] = [];
  readonly metrics = new MetricsRegistry();
  readonly intercept: Intercept = {};
  /** While set, lists and watches fail, and open watches end. */
  cutOff = false;
  readonly #services: SchedulerService[] = [];

  async start(
    config = PACKING,
    options: Partial<SchedulerServiceOptions> = {},
    metrics = this.metrics,
  ): Promise<SchedulerService> {
    const loaded = { config: configOf(config) };
    const service = new SchedulerService(
      { config: loaded.config, instance: 'host', ...options },
      {
        api: this.#recordingApi(),
        watcherClients: new Map([[WATCHER, this.watcher]]),
        clock: this.clock,
        log: this.#recordingLog(),
        metrics,
        random: () => 0.5,
      },
    );
    this.#services.push(service);
    await service.start();
    await this.settle();
    return service;
  }

  /** Everything that follows from the present state has happened. */
  async settle(): Promise<void> {
    for (const service of this.#services) {
      await service.settled({
        pods: this.cluster.latestVersion('pods'),
        nodes: this.cluster.latestVersion('nodes'),
      });
    }
  }

  async advance(deltaMs: number): Promise<void> {
    await this.clock.advanceBy(deltaMs, () => this.settle());
    await this.settle();
  }

  /** Moves on in small steps without waiting for the services: for tests in which calls hang. */
  async drift(deltaMs: number, stepMs = 50): Promise<void> {
    for (let moved = 0; moved < deltaMs; moved += stepMs) {
      await this.clock.advanceBy(stepMs);
      await turns(5);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.close()));
  }

  nodeOf(name: string, namespace = 'default'): string | undefined {
    return this.pod(name, namespace)?.spec.nodeName;
  }

  pod(name: string, namespace = 'default'): Pod | undefined {
    return this.cluster.objects.find('pods', name, namespace);
  }

  condition(name: string): PodCondition | undefined {
    return this.pod(name)?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  }

  notes(reason: string): readonly (string | undefined)[] {
    return this.written.events.filter((event) => event.reason === reason).map(({ note }) => note);
  }

  logged(message: string): readonly LogLine[] {
    return this.log.filter((line) => line.message === message);
  }

  #recordingApi(): ClusterApi {
    const { cluster, written, intercept } = this;
    return {
      list: async (kind, query, signal) => {
        this.#checkLine();
        const page = await cluster.list(kind, query, signal);
        return { ...page, items: page.items.map((item) => this.#tampered(item)) };
      },
      watch: (kind, query, signal) => this.#watch(kind, query, signal),
      getPod: (namespace, name, signal) => {
        const proceed = () => cluster.getPod(namespace, name, signal);
        return intercept.getPod?.(proceed) ?? proceed();
      },
      bindPod: (request, signal) => {
        written.bindings.push(request);
        const proceed = () => cluster.bindPod(request, signal);
        return intercept.bind?.(request, proceed) ?? proceed();
      },
      patchPodCondition: (patch, signal) => {
        written.conditions.push(patch);
        const proceed = () => cluster.patchPodCondition(patch, signal);
        return intercept.patch?.(proceed) ?? proceed();
      },
      createEvent: (event, signal) => {
        written.events.push(event);
        const proceed = () => cluster.createEvent(event, signal);
        return intercept.event?.(proceed) ?? proceed();
      },
      patchEventSeries: (event, signal) => {
        written.series.push({ name: event.name, count: event.series.count });
        return cluster.patchEventSeries(event, signal);
      },
      getLease: (namespace, name, signal) => cluster.getLease(namespace, name, signal),
      createLease: (lease, signal) => cluster.createLease(lease, signal),
      updateLease: (lease, signal) => cluster.updateLease(lease, signal),
      listNodeMetrics: (signal) => cluster.listNodeMetrics(signal),
    };
  }

  async *#watch<K extends ResourceKind>(
    kind: K,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<ResourceTypes[K]>> {
    this.#checkLine();
    for await (const event of this.cluster.watch(kind, query, signal)) {
      this.#checkLine();
      yield 'object' in event ? { ...event, object: this.#tampered(event.object) } : event;
    }
  }

  #tampered<T extends KubernetesObject>(object: T): T {
    return this.intercept.tamper === undefined ? object : (this.intercept.tamper(object) as T);
  }

  #checkLine(): void {
    if (this.cutOff) {
      throw new ClusterApiError('unavailable', 'the line is cut');
    }
  }

  #recordingLog(): Logger {
    const record = (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
      void this.log.push({ message, fields });
    const logger: Logger = { ...silentLogger, info: record, warn: record, error: record, with: () => logger };
    return logger;
  }
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
