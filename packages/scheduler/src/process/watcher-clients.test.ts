import type { LibraryFilter } from '@catamaran/load-watcher';
import { HttpWatcherClient } from '@catamaran/load-watcher/client';
import {
  InMemoryCluster,
  MetricsRegistry,
  OperatorError,
  silentLogger,
  VirtualClock,
} from '@catamaran/platform';
import { FakeSignalFx, nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { loadSchedulerConfig } from '../config/load-scheduler-config.js';
import { type LoadSource, loadSources } from '../service/load-source.js';
import { createWatcherClients } from './watcher-clients.js';

const START_MS = Date.UTC(2026, 0, 1);

function sourcesOf(...args: readonly string[]): readonly LoadSource[] {
  const profiles = args.map(
    (text, index) => `- schedulerName: s${index}
  plugins: {score: {enabled: [{name: TargetLoadPacking}]}}
  pluginConfig: [{name: TargetLoadPacking, args: ${text}}]
`,
  );
  const loaded = loadSchedulerConfig(
    `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n${profiles.join('')}`,
    'f',
  );
  if (!loaded.ok) {
    throw new Error(loaded.problems.join());
  }
  return loadSources(loaded.config);
}

function clientsOf(sources: readonly LoadSource[], signalfx?: LibraryFilter) {
  const clock = new VirtualClock(START_MS);
  const api = new InMemoryCluster(
    {},
    { clock, nodeUsage: (name) => (name === 'n' ? { cpuMilli: 1_000, memoryBytes: 2 ** 30 } : undefined) },
  );
  api.createNode(nodeOf('n', { cpu: '4' }));
  const deps = { api, clock, log: silentLogger, metrics: new MetricsRegistry(), random: () => 0.5 };
  return createWatcherClients(sources, { ...deps, ...(signalfx === undefined ? {} : { signalfx }) });
}

describe('load sources', () => {
  it('are shared by profiles of one address and apart for others', () => {
    const one = '{watcherAddress: "http://a.example:2020"}';
    expect(
      sourcesOf(one, one, '{watcherAddress: "http://b.example:2020"}').map(({ key }) => key),
    ).to.deep.equal(['http://a.example:2020', 'http://b.example:2020']);
  });

  it('are none where no profile looks at load', () => {
    const text = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
    const loaded = loadSchedulerConfig(text, 'f');
    expect(loaded.ok && loadSources(loaded.config)).to.deep.equal([]);
  });

  it('C45: are none for arguments of a plugin that is not enabled, so no connection is opened', () => {
    const loaded = loadSchedulerConfig(
      `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig: [{name: TargetLoadPacking, args: {watcherAddress: "http://a.example:2020"}}]
`,
      'f',
    );
    expect(loaded.ok && loadSources(loaded.config)).to.deep.equal([]);
  });

  it('hold no secret in their key, which is logged', () => {
    const [source] = sourcesOf(
      '{metricProvider: {type: Prometheus, address: "http://p.example", token: hidden}}',
    );
    expect(source?.key).to.match(/^in-process Prometheus http:\/\/p\.example [0-9a-f]{12}$/);
  });

  it('of one address are apart for other tokens and authorities, and shared for the same', () => {
    const args = (more: string): string => `{watcherAddress: "https://a.example:2020"${more}}`;
    const sources = sourcesOf(
      args(''),
      args(', watcherTokenFile: /one'),
      args(', watcherTokenFile: /two'),
      args(', watcherTokenFile: /one'),
      args(', watcherTokenFile: /one, watcherCaFile: /ca'),
      args(', watcherCaFile: /one'),
    );
    expect(
      sources.map(({ watcherTokenFile, watcherCaFile }) => [watcherTokenFile, watcherCaFile]),
    ).to.deep.equal([
      [undefined, undefined],
      ['/one', undefined],
      ['/two', undefined],
      ['/one', '/ca'],
      [undefined, '/one'],
    ]);
    expect(new Set(sources.map(({ key }) => key)).size).to.equal(5);
    for (const { key } of sources) expect(key).to.match(/^https:\/\/a\.example:2020( [0-9a-f]{12})?$/);
  });

  it('with an authority that can not be read are refused, naming argument and file', () => {
    const sources = sourcesOf('{watcherAddress: "https://a.example:2020", watcherCaFile: /nonexistent/ca}');
    expect(() => clientsOf(sources)).to.throw(
      OperatorError,
      /^watcherCaFile: \/nonexistent\/ca can't be read \(ENOENT\): check path and mount$/,
    );
  });

  it('with an address are asked over HTTP', async () => {
    const clients = clientsOf(sourcesOf('{watcherAddress: "http://a.example:2020"}'));
    expect(clients.get('http://a.example:2020')).to.be.instanceOf(HttpWatcherClient);
    await clients.get('http://a.example:2020')?.close();
  });

  it('without one are watched in this process, from the Metrics Server', async () => {
    const clients = clientsOf(sourcesOf('{}'));
    const client = clients.get('in-process KubernetesMetricsServer');
    const state = await client?.refresh(new AbortController().signal);
    const cpu = state?.document?.nodes.get('n')?.find(({ type }) => type === 'CPU');
    expect(cpu?.value).to.equal(25);
    await client?.close();
  });

  it('of a provider that wants a token are refused without one', () => {
    expect(() => clientsOf(sourcesOf('{metricProvider: {type: SignalFx}}'))).to.throw(
      OperatorError,
      /^metricProvider\.token: SignalFx wants an access token$/,
    );
  });

  it('of SignalFx are watched in this process, asked about the hosts that the environment names', async () => {
    const service = await FakeSignalFx.start();
    service.measurements = (['blue', 'green'] as const).map((cluster, position) => ({
      host: 'n.dc1.example.test',
      cluster,
      resource: 'CPU',
      points: [[START_MS, 20 + position]],
    }));
    const type = `{metricProvider: {type: SignalFx, address: "${service.url.href}", token: sesame}}`;
    const clients = clientsOf(sourcesOf(type), {
      hostNameSuffix: '.dc1.example.test',
      clusterName: 'blue',
    });
    const [client] = clients.values();
    const state = await client?.refresh(new AbortController().signal);
    expect(state?.document?.nodes.get('n')?.map(({ type: of, value }) => [of, value])).to.deep.equal([
      ['CPU', 20],
    ]);
    await client?.close();
    await service.close();
  });

  it('of SignalFx are refused where the environment names hosts that can be none', () => {
    const sources = sourcesOf('{metricProvider: {type: SignalFx, token: t}}');
    expect(() => clientsOf(sources, { hostNameSuffix: '" OR', clusterName: '' })).to.throw(
      OperatorError,
      /^metricProvider\.type: SignalFx: --signalfx-host-name-suffix: /,
    );
  });
});
