import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeDatadog, FakeSignalFx, type HostMeasurement } from '@catamaran/testkit';
import { expect } from 'chai';
import {
  eventually,
  freePort,
  type RunningProgram,
  startLoadWatcherProcess,
} from './running-program.test.js';

/** Points of the last minutes, one a minute: 40, 50, 60 percent, a gap, 70. */
function measured(
  host: string,
  resource: 'CPU' | 'Memory',
  over: Partial<HostMeasurement> = {},
): HostMeasurement {
  const minuteMs = Math.floor(Date.now() / 60_000) * 60_000;
  const values = [40, 50, 60, null, 70];
  const points = values.map(
    (value, position) => [minuteMs - (values.length - position) * 60_000, value] as const,
  );
  return { host, resource, points, ...over };
}

describe('load-watcher as a process, with a hosted service', function () {
  this.timeout(30_000);
  let program: RunningProgram | undefined;
  let service: FakeSignalFx | FakeDatadog | undefined;
  let port: number;
  const start = (env: Record<string, string>, args: readonly string[] = []): RunningProgram => {
    program = startLoadWatcherProcess(
      ['--bind-address=127.0.0.1', `--port=${port}`, '--refresh-interval=1s', ...args],
      env,
    );
    return program;
  };
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
  const document = (): Promise<WatcherBody> =>
    eventually(async () => {
      const response = await get('/watcher');
      return response.status === 200 ? ((await response.json()) as WatcherBody) : undefined;
    });

  beforeEach(async () => {
    port = await freePort();
  });
  afterEach(async () => {
    await program?.stop('SIGKILL');
    await service?.close();
  });

  it('SignalFx: the Go service’s variables give its document, and a limit leaves the last one standing (C20)', async () => {
    const signalfx = await FakeSignalFx.start();
    service = signalfx;
    signalfx.measurements = [
      measured('worker-1.dc1.example.test', 'CPU', { cluster: 'blue' }),
      measured('worker-1.dc1.example.test', 'Memory', { cluster: 'blue' }),
      measured('worker-1.dc1.example.test', 'CPU', { cluster: 'green', points: [[Date.now(), 99]] }),
    ];
    const running = start({
      METRICS_PROVIDER_NAME: 'SignalFx',
      METRICS_PROVIDER_ADDRESS: signalfx.url.href,
      METRICS_PROVIDER_TOKEN: 'sesame',
      SIGNALFX_HOST_NAME_SUFFIX: '.dc1.example.test',
      SIGNALFX_CLUSTER_NAME: 'blue',
    });
    const { source, window, data } = await document();
    expect([source, window.duration, window.end - window.start]).to.deep.equal(['SignalFx', '15m', 900]);
    const cpu = 'sf_metric:"cpu.utilization"';
    const memory = 'sf_metric:"memory.utilization"';
    const deviation = Math.sqrt(125);
    expect(data.NodeMetricsMap).to.deep.equal({
      'worker-1': {
        metrics: [
          { name: cpu, type: 'CPU', operator: 'AVG', rollup: '', value: 55 },
          { name: memory, type: 'Memory', operator: 'AVG', rollup: '', value: 55 },
          { name: cpu, type: 'CPU', operator: 'STD', rollup: '', value: deviation },
          { name: memory, type: 'Memory', operator: 'STD', rollup: '', value: deviation },
        ],
        tags: {},
        metadata: { dataCenter: '' },
      },
    });
    expect((await get('/watcher/health')).status).to.equal(200);

    signalfx.instead = () => ({ status: 429, body: {}, headers: { 'Retry-After': '120' } });
    await running.printed(/none for another 120 s.*refresh failed/);
    const sent = signalfx.requests.length;
    await eventually(async () => ((await get('/watcher/health')).status === 503 ? true : undefined));
    expect((await document()).data.NodeMetricsMap).to.have.property('worker-1');
    expect(signalfx.requests.length).to.equal(sent);

    const config = (await (await get('/configz')).json()) as { readonly metricsProviderToken?: string };
    expect(JSON.stringify(config)).to.contain('"blue"').and.not.contain('sesame');
    expect(running.output).to.not.contain('sesame');
    expect(await running.stop()).to.equal(0);
  });

  it('Datadog: keys in files that rotate, and why a figure is missing', async () => {
    const datadog = await FakeDatadog.start();
    service = datadog;
    datadog.measurements = [measured('worker-1-blue', 'CPU'), measured('worker-2-blue', 'Memory')];
    const folder = await mkdtemp(join(tmpdir(), 'datadog-'));
    const [apiKey, appKey] = [join(folder, 'api-key'), join(folder, 'app-key')];
    await writeFile(apiKey, 'first\n');
    await writeFile(appKey, 'open\n');
    datadog.apiKey = 'first';
    const running = start(
      {
        METRICS_PROVIDER_NAME: 'Datadog',
        METRICS_PROVIDER_ADDRESS: datadog.url.href,
        METRICS_PROVIDER_APP_KEY_FILE: appKey,
        DATADOG_HOST_NAME_SUFFIX: '-blue',
      },
      [`--metrics-provider-token-file=${apiKey}`],
    );
    const { source, data } = await document();
    expect(source).to.equal('Datadog');
    expect(Object.keys(data.NodeMetricsMap)).to.deep.equal(['worker-1', 'worker-2']);
    expect(data.NodeMetricsMap['worker-1']?.metrics[0]).to.deep.equal({
      name: 'max:cpu.utilization',
      type: 'CPU',
      operator: 'AVG',
      rollup: 'rollup(max, 60)',
      value: 55,
    });

    datadog.apiKey = 'second';
    await running.printed(/HTTP 403.*refresh failed/);
    await writeFile(apiKey, 'second\n');
    await running.printed(/recovered/);
    datadog.measurements = [measured('worker-1-blue', 'CPU', { points: [[Date.now() - 60_000, -5]] })];
    const absent = await eventually(async () => {
      const body = (await (await get('/debug/nodes')).json()) as DebugBody;
      return body.items
        .find(({ name }) => name === 'worker-1')
        ?.absent.find(({ reason }) => reason === 'negative');
    });
    expect(absent?.detail).to.equal('1 of 1 points: -5 % is below 0');
    const metrics = await (await get('/metrics')).text();
    expect(metrics).to.match(/load_watcher_absent_figures\{reason="negative"\} 1/);
    for (const secret of ['first', 'second', 'open']) {
      expect(running.output).to.not.contain(`"${secret}"`);
      expect(await (await get('/configz')).text()).to.not.contain(`"${secret}"`);
    }
    expect(await running.stop()).to.equal(0);
    await rm(folder, { recursive: true });
  });
});

interface WatcherBody {
  readonly source: string;
  readonly window: { readonly duration: string; readonly start: number; readonly end: number };
  readonly data: {
    readonly NodeMetricsMap: Readonly<Record<string, { readonly metrics: readonly object[] }>>;
  };
}

interface DebugBody {
  readonly items: readonly {
    readonly name: string;
    readonly absent: readonly { readonly reason: string; readonly detail: string }[];
  }[];
}
