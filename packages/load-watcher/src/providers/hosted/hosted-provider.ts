import { WINDOW_SECONDS } from '@catamaran/model';
import type { ProviderFetch } from '../../core/figures/figures.js';
import { nextTurn, runInSlices } from '../../event-loop.js';
import type { NodeSource } from '../../nodes/node-catalogue.js';
import { LastNodes } from '../last-nodes.js';
import { LastOutcome } from '../last-outcome.js';
import type { MetricsProvider, ProviderHealth } from '../metrics-provider.js';
import { type KnownHost, type NamedHosts, nameHosts } from './host-names.js';
import { missingHosts } from './missing-hosts.js';
import { type NodeSeries, pointWindows } from './point-windows.js';
import type { HostedSource, HostReading, HostSeries } from './reading.js';

export interface HostedProviderOptions {
  /** What the service's host names end in and the nodes' don't; may be empty. */
  readonly hostNameSuffix: string;
}

export interface HostedProviderDeps {
  readonly source: HostedSource;
  /** The nodes of the cluster; without it names are made of host names and not verified. */
  readonly nodes?: NodeSource;
}

/** The longest window; shorter ones end with it, so its points serve all. */
const SPAN_MS = WINDOW_SECONDS['15m'] * 1000;
const NO_FIGURES =
  'the service answers, but never with a figure of a node: are suffix and cluster name right? See /debug/nodes';

/**
 * A metrics service outside of the cluster that knows hosts and their points. One reading a refresh serves all windows,
 * however many nodes there are.
 */
export class HostedProvider implements MetricsProvider {
  readonly #options: HostedProviderOptions;
  readonly #deps: HostedProviderDeps;
  readonly #nodes: LastNodes;
  readonly #outcome = new LastOutcome({ notAsked: 'the service was not asked yet', noFigures: NO_FIGURES });

  constructor(options: HostedProviderOptions, deps: HostedProviderDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#nodes = new LastNodes(deps.nodes);
  }

  get source(): 'SignalFx' | 'Datadog' {
    return this.#deps.source.name;
  }

  async fetch(nowMs: number, signal: AbortSignal): Promise<ProviderFetch> {
    return await this.#outcome.of(signal, (shared) => this.#fetch(nowMs, shared));
  }

  /** The outcome of the last fetch: services count calls, so none is spent on a question. */
  async health(signal: AbortSignal): Promise<ProviderHealth> {
    signal.throwIfAborted();
    return { healthy: this.#outcome.trouble === undefined, reason: this.#outcome.trouble ?? '' };
  }

  async close(): Promise<void> {
    await Promise.all([this.#deps.source.close(), this.#nodes.close()]);
  }

  async #fetch(nowMs: number, signal: AbortSignal): Promise<ProviderFetch> {
    const failures: string[] = [];
    const { source } = this.#deps;
    const [reading] = await Promise.all([
      source.read({ startMs: nowMs - SPAN_MS, endMs: nowMs }, signal),
      this.#nodes.renew(failures, signal),
    ]);
    // Answers of thousands of hosts take their time to read; requests come in between.
    await nextTurn();
    const named = nameHosts(knownHosts(reading.series), {
      index: this.#nodes.list?.index,
      suffix: this.#options.hostNameSuffix,
      clusterOption: source.clusterOption,
    });
    const { windows, absences, has } = await runInSlices(
      pointWindows(this.#ofNodes(reading, named), {
        answered: reading.answered,
        nowMs,
        names: source.figureNames,
      }),
    );
    return {
      windows,
      absences: [
        ...(this.#nodes.list?.malformed ?? []),
        ...reading.absences,
        ...named.absences,
        ...absences,
        ...missingHosts(this.#nodes.list, has),
      ],
      failures: [...reading.failures, ...failures],
      warnings: reading.warnings,
      matchedBy: () => named.rules,
    };
  }

  #ofNodes({ series }: HostReading, named: NamedHosts): readonly NodeSeries[] {
    return series.flatMap(({ host, resource, points }) => {
      const node = named.nodes.get(host);
      if (node === undefined) return [];
      const created = this.#nodes.list?.nodes.get(node)?.metadata.creationTimestamp ?? '';
      return [{ node, resource, points, createdMs: Date.parse(created) }];
    });
  }
}

function knownHosts(series: readonly HostSeries[]): readonly KnownHost[] {
  const clusters = new Map<string, Set<string>>();
  for (const { host, cluster } of series) {
    const known = clusters.get(host) ?? new Set();
    clusters.set(host, known);
    if (cluster !== undefined) known.add(cluster);
  }
  return [...clusters].map(([host, names]) => ({ host, clusters: names }));
}
