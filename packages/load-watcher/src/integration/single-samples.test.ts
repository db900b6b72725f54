import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type FigureSource, figureSources, type UserQuery } from '../providers/prometheus/query.js';
import { missingPrograms } from './running-program.test.js';

const PROMTOOL = 'promtool';
/** The evaluation is at this minute; a window before it holds many samples, or but the newest. */
const MINUTE = 30;
const QUERIES: readonly UserQuery[] = [
  { promql: 'sum by (instance) (rate(my_total[$window]))', unit: 'ratio' },
  { promql: 'my_gauge', unit: 'ratio' },
];
const COUNTERS = [
  'node_cpu_seconds_total{instance="n", mode="idle"}',
  'node_cpu_seconds_total{instance="n", mode="user"}',
  'windows_cpu_time_total{instance="w", mode="idle"}',
  'windows_cpu_time_total{instance="w", mode="user"}',
  'container_cpu_usage_seconds_total{instance="n", id="/"}',
  'my_total{instance="n"}',
];
const GAUGES = [
  'instance:node_cpu:ratio{instance="n"}',
  'instance:node_cpu_utilisation:rate5m{instance="n"}',
  'instance:node_cpu_utilisation:rate1m{instance="n"}',
  'instance:node_memory_utilisation:ratio{instance="n"}',
  'node_memory_MemAvailable_bytes{instance="n"}',
  'node_memory_MemTotal_bytes{instance="n"}',
  'windows_memory_physical_free_bytes{instance="w"}',
  'windows_memory_physical_total_bytes{instance="w"}',
  'windows_os_physical_memory_free_bytes{instance="v"}',
  'windows_cs_physical_memory_bytes{instance="v"}',
  'container_memory_working_set_bytes{instance="n", id="/"}',
  'machine_memory_bytes{instance="n"}',
  'machine_cpu_cores{instance="n"}',
  'my_gauge{instance="n"}',
];

function allSources(): readonly FigureSource[] {
  const given = [{}, ...QUERIES.map((query) => ({ CPU: query, Memory: query }))];
  return given.flatMap((userQueries) =>
    (['CPU', 'Memory'] as const).flatMap((resource) =>
      figureSources(resource, { matcher: '', nodeLabel: undefined, userQueries }),
    ),
  );
}

/** How many series each expression has; a counter needs a sample more than a gauge for its first point. */
function seriesTest(points: number, expected: (expression: 'average' | 'deviation') => boolean): object {
  const values = (raw: number): string => `${'_ '.repeat(MINUTE + 1 - raw)}64+64x${raw - 1}`;
  const expressions = allSources().flatMap((source) =>
    (['5m', '10m', '15m'] as const).flatMap((window) => [
      { promql: source.average(window), isThere: expected('average') },
      { promql: source.deviation(window), isThere: expected('deviation') },
    ]),
  );
  return {
    interval: '1m',
    input_series: [
      ...COUNTERS.map((series) => ({ series, values: values(points + 1) })),
      ...GAUGES.map((series) => ({ series, values: values(points) })),
    ],
    promql_expr_test: expressions.map(({ promql, isThere }) => ({
      expr: `count(${promql}) > bool 0`,
      eval_time: `${MINUTE}m`,
      exp_samples: isThere ? [{ labels: '{}', value: 1 }] : [],
    })),
  };
}

describe('deviations of single samples, as Prometheus itself evaluates the queries', function () {
  this.timeout(60_000);
  let folder: string;

  before(function () {
    if (missingPrograms([PROMTOOL]).length > 0) {
      if (process.env.CI === 'true') throw new Error('not installed: promtool; apt-get install prometheus');
      this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), 'catamaran-samples-'));
  });

  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  /** What promtool finds wrong; empty when all is as expected. */
  function judge(tests: readonly object[]): string {
    const file = join(folder, 'test.yml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ rule_files: [], evaluation_interval: '1m', tests }));
    try {
      execFileSync(PROMTOOL, ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
      return '';
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      return stdout + stderr;
    }
  }

  it('every source has an average of one sample, and no deviation', () => {
    expect(judge([seriesTest(1, (statistic) => statistic === 'average')])).to.equal('');
  });

  it('every source has both of two samples, and of many', () => {
    expect(judge([seriesTest(2, () => true), seriesTest(20, () => true)])).to.equal('');
  });
});
