import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClusterApi, InMemoryCluster, SystemClock } from '@catamaran/platform';
import { nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import type { ProviderFetch } from '../core/figures/figures.js';
import { createProvider } from '../providers/create-provider.js';
import { ExporterPages, KUBE_STATE_METRICS, loadOf } from './exporter-pages.test.js';
import { eventually, freePort, missingPrograms, RunningProgram } from './running-program.test.js';
import { SERVICE_MONITORS, type ServiceMonitor } from './service-monitors.test.js';

/** A share of two counters that were read at one instant is exact but for rounding. */
const TOLERANCE_POINTS = 0.01;
const { signal } = new AbortController();

describe('label sets of well-known installations, scraped by a real Prometheus', function () {
  this.timeout(60_000);
  let folder: string;
  let pages: ExporterPages;
  let prometheus: RunningProgram;
  let address: string;
  let known: ProviderFetch;
  let unverified: ProviderFetch;

  before(async function () {
    const missing = missingPrograms(['prometheus']);
    if (missing.length > 0) {
      if (process.env.CI === 'true') throw new Error('not installed: prometheus; apt-get install prometheus');
      this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), 'catamaran-labels-'));
    pages = await ExporterPages.start();
    await startPrometheus();
    [known, unverified] = await Promise.all([complete({ api: cluster() }), complete({})]);
  });

  after(async () => {
    await prometheus?.stop('SIGKILL');
    await pages?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  async function startPrometheus(): Promise<void> {
    const config = join(folder, 'prometheus.yml');
    // JSON is YAML.
    writeFileSync(
      config,
      JSON.stringify({ global: { scrape_interval: '1s' }, scrape_configs: scrapeConfigs(pages.url) }),
    );
    const port = await freePort();
    const data = `--storage.tsdb.path=${join(folder, 'data')}`;
    prometheus = new RunningProgram('prometheus', [
      `--config.file=${config}`,
      data,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ]);
    address = `http://127.0.0.1:${port}`;
  }

  /** Asks until every target was scraped twice. */
  function complete(given: {
    readonly api?: ClusterApi;
    readonly nodeLabel?: string;
  }): Promise<ProviderFetch> {
    return eventually(async () => {
      const fetched = await fetchOnce(given);
      const measured = [...(fetched.windows[0]?.nodes.values() ?? [])].filter(
        ({ metrics }) => metrics.filter(({ operator }) => operator === 'AVG').length === 2,
      );
      return measured.length === SERVICE_MONITORS.length ? fetched : undefined;
    });
  }

  async function fetchOnce(given: {
    readonly api?: ClusterApi;
    readonly nodeLabel?: string;
  }): Promise<ProviderFetch> {
    const provider = createProvider(
      {
        name: 'Prometheus',
        baseUrl: new URL(address),
        queries: { matcher: '', nodeLabel: given.nodeLabel, userQueries: {} },
      },
      { refreshIntervalMs: 60_000 },
      { clock: new SystemClock(), random: () => 0, api: given.api },
    );
    try {
      return await provider.fetch(Date.now(), signal);
    } finally {
      await provider.close();
    }
  }

  for (const monitor of SERVICE_MONITORS) {
    it(`${monitor.what}: found by ${monitor.rule}`, () => {
      expect([...(known.matchedBy?.().get(monitor.node) ?? [])]).to.deep.equal([monitor.rule]);
      const { cpuPercent, memoryPercent } = loadOf(monitor);
      expect(figure(known, monitor, 'CPU')).to.be.closeTo(cpuPercent, TOLERANCE_POINTS);
      expect(figure(known, monitor, 'Memory')).to.be.closeTo(memoryPercent, TOLERANCE_POINTS);
    });

    const { ruleWithoutCluster } = monitor;
    it(`${monitor.what}: without the cluster ${ruleWithoutCluster ?? 'under the name of its address'}`, () => {
      const name = ruleWithoutCluster === undefined ? monitor.address.replace(/:\d+$/, '') : monitor.node;
      const rules = unverified.matchedBy?.().get(name) ?? [];
      expect([...rules]).to.deep.equal([ruleWithoutCluster ?? 'instance']);
    });
  }

  it('all nodes have both figures, and no series is left over', () => {
    expect([...(known.windows[0]?.nodes.keys() ?? [])].sort()).to.deep.equal(
      SERVICE_MONITORS.map(({ node }) => node).sort(),
    );
    expect(known.absences).to.deep.equal([]);
    expect(known.failures).to.deep.equal([]);
  });

  it("all nodes' figures tell when they were measured", () => {
    for (const { node } of SERVICE_MONITORS)
      expect(known.windows[0]?.nodes.get(node)?.sampleUnixMs, node).to.be.a('number');
  });

  it('a label of your own is asked first', async () => {
    const fetched = await complete({ api: cluster(), nodeLabel: 'nodename' });
    const [, relabelled] = SERVICE_MONITORS;
    expect([...(fetched.matchedBy?.().get(relabelled?.node ?? '') ?? [])]).to.deep.equal(['label nodename']);
  });
});

function figure(fetched: ProviderFetch, { node }: ServiceMonitor, type: string): number {
  const metrics = fetched.windows[0]?.nodes.get(node)?.metrics ?? [];
  return metrics.find((metric) => metric.type === type && metric.operator === 'AVG')?.value ?? Number.NaN;
}

function cluster(): InMemoryCluster {
  const api = new InMemoryCluster({}, { clock: new SystemClock() });
  for (const { node, address, isNodeAddress } of SERVICE_MONITORS) {
    const host = address.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '');
    api.createNode(nodeOf(node, { addresses: isNodeAddress ? [{ type: 'InternalIP', address: host }] : [] }));
  }
  return api;
}

/** A job for each target, its labels by relabelings as the operator writes them; all behind one proxy. */
function scrapeConfigs(proxyUrl: string): readonly object[] {
  const jobs = SERVICE_MONITORS.map(({ address, labels }, index) => ({
    job_name: `serviceMonitor/monitoring/${index}`,
    proxy_url: proxyUrl,
    static_configs: [{ targets: [address] }],
    relabel_configs: Object.entries(labels).map(([label, value]) => ({
      target_label: label,
      replacement: value,
    })),
  }));
  const stateMetrics = {
    job_name: 'serviceMonitor/monitoring/kube-state-metrics',
    proxy_url: proxyUrl,
    honor_labels: true,
    static_configs: [
      { targets: [KUBE_STATE_METRICS], labels: { namespace: 'monitoring', pod: 'kube-state-metrics-0' } },
    ],
  };
  return [...jobs, stateMetrics];
}
