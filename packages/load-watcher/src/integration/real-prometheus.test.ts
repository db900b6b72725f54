import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeWatcherDocument, type WatcherDocument } from '@catamaran/model';
import { expect } from 'chai';
import { ProcRecorder } from './proc-recorder.test.js';
import {
  eventually,
  freePort,
  missingPrograms,
  RunningProgram,
  startLoadWatcherProcess,
} from './running-program.test.js';

const PROGRAMS = ['prometheus', 'prometheus-node-exporter'];
/** One exporter for each span of time, so that a figure covers exactly that span. */
const SPANS = ['before', 'under-load', 'across-the-step'] as const;
type Span = (typeof SPANS)[number];

const BEFORE_MS = 10_000;
const UNDER_LOAD_MS = 14_000;
const TOLERANCE_POINTS = 2;
const STEP_POINTS = 30;

describe('load-watcher with a real Prometheus and node-exporter', function () {
  this.timeout(120_000);
  let folder: string;
  const running: RunningProgram[] = [];
  let recorder: ProcRecorder;
  let prometheusUrl: string;
  let document: WatcherDocument;
  const exporters = new Map<Span, RunningProgram>();

  before(async function () {
    const missing = missingPrograms(PROGRAMS);
    if (missing.length > 0) {
      if (process.env.CI === 'true')
        throw new Error(`not installed: ${missing.join(', ')}; apt-get install ${missing.join(' ')}`);
      this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), 'catamaran-prometheus-'));
    recorder = new ProcRecorder();
    const ports = new Map<Span, number>();
    for (const span of SPANS) ports.set(span, await freePort());
    prometheusUrl = await startPrometheus(ports);
    await measure(ports);
    document = await readWatcher();
  });

  after(async () => {
    recorder?.stop();
    await Promise.all(running.map((program) => program.stop('SIGKILL')));
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const run = (command: string, args: readonly string[]): RunningProgram => {
    const program = new RunningProgram(command, args);
    running.push(program);
    return program;
  };

  async function startPrometheus(ports: ReadonlyMap<Span, number>): Promise<string> {
    const targets = [...ports].map(
      ([span, port]) => `      - { targets: ['127.0.0.1:${port}'], labels: { node: '${span}' } }`,
    );
    const config = [
      'global: { scrape_interval: 1s }',
      'scrape_configs:',
      '  - job_name: node',
      '    static_configs:',
      ...targets,
    ];
    writeFileSync(join(folder, 'prometheus.yml'), `${config.join('\n')}\n`);
    const port = await freePort();
    run('prometheus', [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ]);
    const url = `http://127.0.0.1:${port}`;
    await eventually(async () => ((await fetch(`${url}/-/ready`)).ok ? true : undefined));
    return url;
  }

  /** The exporters live exactly as long as the span they are named after. */
  async function measure(ports: ReadonlyMap<Span, number>): Promise<void> {
    const start = (span: Span): Promise<void> => {
      const collectors = ['cpu', 'meminfo', 'time', 'uname'].map((name) => `--collector.${name}`);
      const address = `--web.listen-address=127.0.0.1:${ports.get(span) ?? 0}`;
      exporters.set(
        span,
        run('prometheus-node-exporter', ['--collector.disable-defaults', ...collectors, address]),
      );
      return eventually(async () => ((await sampleTimes(span)).length > 0 ? true : undefined)).then(
        () => undefined,
      );
    };
    await Promise.all([start('across-the-step'), start('before')]);
    await pause(BEFORE_MS);
    await exporters.get('before')?.stop('SIGKILL');
    const workers = Array.from({ length: availableParallelism() }, () =>
      run(process.execPath, [
        '-e',
        `const end = Date.now() + ${UNDER_LOAD_MS * 4}; while (Date.now() < end);`,
      ]),
    );
    await start('under-load');
    await pause(UNDER_LOAD_MS);
    await Promise.all([
      exporters.get('under-load')?.stop('SIGKILL'),
      exporters.get('across-the-step')?.stop('SIGKILL'),
    ]);
    await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
  }

  /** When Prometheus has samples of that span's exporter, in milliseconds. */
  async function sampleTimes(span: Span): Promise<readonly number[]> {
    const query = new URLSearchParams({ query: `node_time_seconds{node="${span}"}[15m]` });
    const answer = (await (await fetch(`${prometheusUrl}/api/v1/query?${query.toString()}`)).json()) as {
      readonly data: {
        readonly result: readonly { readonly values: readonly (readonly [number, string])[] }[];
      };
    };
    return (answer.data.result[0]?.values ?? []).map(([seconds]) => seconds * 1000);
  }

  async function readWatcher(): Promise<WatcherDocument> {
    const watcher = startLoadWatcherProcess(
      ['--port', '0', '--bind-address', '127.0.0.1', '--refresh-interval', '1s'],
      {
        METRICS_PROVIDER_NAME: 'Prometheus',
        METRICS_PROVIDER_ADDRESS: prometheusUrl,
      },
    );
    running.push(watcher);
    const port = (await watcher.printed(/"msg":"listening".*?"port":(\d+)|"port":(\d+).*?"msg":"listening"/))
      .slice(1)
      .find(Boolean);
    return eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/watcher`);
      const decoded = decodeWatcherDocument(await answer.text());
      return answer.status === 200 && decoded.ok && decoded.value.nodes.size === SPANS.length
        ? decoded.value
        : undefined;
    });
  }

  const figure = (span: Span, type: string, operator = 'AVG'): number =>
    document.nodes.get(span)?.find((metric) => metric.type === type && metric.operator === operator)?.value ??
    Number.NaN;

  async function spanOf(name: Span): Promise<readonly [number, number]> {
    const times = await sampleTimes(name);
    return [Math.min(...times), Math.max(...times)];
  }

  for (const span of SPANS) {
    it(`CPU ${span} is what /proc/stat says of the same seconds, within ${TOLERANCE_POINTS} points`, async () => {
      const expected = recorder.cpuPercent(...(await spanOf(span)));
      expect(figure(span, 'CPU')).to.be.closeTo(expected, TOLERANCE_POINTS);
    });

    it(`memory ${span} is what /proc/meminfo says, within ${TOLERANCE_POINTS} points`, async () => {
      const expected = recorder.memoryPercent(...(await spanOf(span)));
      expect(figure(span, 'Memory')).to.be.closeTo(expected, TOLERANCE_POINTS);
    });
  }

  it(`the load step is at least ${STEP_POINTS} points, as far as the machine had them to give`, async () => {
    const before = recorder.cpuPercent(...(await spanOf('before')));
    const step = figure('under-load', 'CPU') - figure('before', 'CPU');
    expect(step).to.be.at.least(Math.min(STEP_POINTS, 95 - before));
  });

  it('says where the figures come from', () => {
    expect(document.source).to.equal('Prometheus');
    expect(document.window.duration).to.equal('15m');
  });
});

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
