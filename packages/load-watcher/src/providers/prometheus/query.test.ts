import { expect } from 'chai';
import { checkPromql } from './check-promql.js';
import { figureSources, infoQueries, type QueryOptions } from './query.js';

const BUILT_IN: QueryOptions = { matcher: '', nodeLabel: undefined, userQueries: {} };

describe('figureSources', () => {
  it('tries raw counters first, then rules by name, then cAdvisor', () => {
    expect(figureSources('CPU', BUILT_IN).map(({ name }) => name)).to.deep.equal([
      'node_cpu_seconds_total, windows_cpu_time_total',
      'instance:node_cpu:ratio',
      'instance:node_cpu_utilisation:rate5m',
      'instance:node_cpu_utilisation:rate1m',
      'container_cpu_usage_seconds_total{id="/"}',
    ]);
    expect(figureSources('Memory', BUILT_IN).map(({ name }) => name)[1]).to.equal(
      'instance:node_memory_utilisation:ratio',
    );
  });

  it('asks for a rule as the Go service does, but for the deviation of a single sample', () => {
    const rule = figureSources('CPU', BUILT_IN)[1];
    expect(rule?.average('15m')).to.equal('avg_over_time(instance:node_cpu:ratio[15m])');
    expect(rule?.deviation('5m')).to.equal(
      'stddev_over_time(instance:node_cpu:ratio[5m]) and count_over_time(instance:node_cpu:ratio[5m]) > 1',
    );
  });

  it('asks Linux and Windows exporters in one query (C72), idle, iowait and steal not counted as busy', () => {
    const average = figureSources('CPU', BUILT_IN)[0]?.average('10m') ?? '';
    expect(average).to.contain('rate(node_cpu_seconds_total{mode!~"idle|iowait|steal"}[10m])');
    expect(average).to.contain(') or (').and.contain('rate(windows_cpu_time_total{mode!~"idle"}[10m])');
  });

  it('adds the matcher to every series and the node label to every grouping', () => {
    const options = { ...BUILT_IN, matcher: 'cluster="blue"', nodeLabel: 'host' };
    for (const resource of ['CPU', 'Memory'] as const) {
      for (const source of figureSources(resource, options)) {
        for (const promql of [source.average('5m'), source.deviation('5m')]) {
          const series =
            promql.match(/(node|windows|instance|container|machine)_?:?[a-zA-Z_:0-9]+(?=\{|\[|\))/g) ?? [];
          expect(promql.split('cluster="blue"').length - 1, promql).to.equal(series.length);
          if (promql.includes(' by (')) expect(promql).to.contain('pod, host)');
        }
      }
    }
  });

  it("uses the operator's own query alone, with its unit", () => {
    const sources = figureSources('CPU', {
      ...BUILT_IN,
      userQueries: { CPU: { promql: 'my:rule[$window]', unit: 'percent' } },
    });
    expect(sources).to.have.length(1);
    expect(sources[0]?.unit).to.equal('percent');
    expect(sources[0]?.average('10m')).to.equal('my:rule[10m]');
    expect(sources[0]?.deviation('10m')).to.equal(
      'stddev_over_time((my:rule[5m])[10m:1m]) and count_over_time((my:rule[5m])[10m:1m]) > 1',
    );
  });

  it('averages an own query that tells utilisation now', () => {
    const [source] = figureSources('Memory', {
      ...BUILT_IN,
      userQueries: { Memory: { promql: 'mem_pct', unit: 'percent' } },
    });
    expect(source?.average('15m')).to.equal('avg_over_time((mem_pct)[15m:1m])');
    expect(source?.deviation('15m')).to.equal(
      'stddev_over_time((mem_pct)[15m:1m]) and count_over_time((mem_pct)[15m:1m]) > 1',
    );
  });

  it('asks info metrics only for the pods of the series at hand', () => {
    expect(infoQueries('X', BUILT_IN).pod).to.equal(
      'max by (namespace, pod, node) (kube_pod_info{node!=""}) and on (namespace, pod) (X)',
    );
  });

  it('every query has balanced brackets and quotes', () => {
    for (const resource of ['CPU', 'Memory'] as const) {
      for (const source of figureSources(resource, { ...BUILT_IN, matcher: 'a=~"b|c"' })) {
        for (const promql of [source.average('5m'), source.deviation('15m')]) {
          expect(checkPromql(promql), promql).to.deep.equal({ ok: true, value: promql });
        }
      }
    }
  });

  it('knows the time of samples of every built-in source, and of a query that is a plain series', () => {
    for (const resource of ['CPU', 'Memory'] as const) {
      for (const { name, sampleTime, timedBy } of figureSources(resource, BUILT_IN)) {
        if (timedBy === undefined) expect(sampleTime, name).to.contain('timestamp(');
      }
    }
    const [exporters] = figureSources('CPU', BUILT_IN);
    expect([exporters?.sampleTime, exporters?.timedBy]).to.deep.equal([undefined, 'Memory']);
    const userQueries = { Memory: { promql: 'a / b', unit: 'ratio' } } as const;
    const [alone] = figureSources('CPU', { ...BUILT_IN, userQueries });
    expect([alone?.sampleTime?.includes('timestamp('), alone?.timedBy]).to.deep.equal([true, undefined]);
    const timeOf = (promql: string) =>
      figureSources('CPU', { ...BUILT_IN, userQueries: { CPU: { promql, unit: 'ratio' } } })[0]?.sampleTime;
    expect(timeOf('my:cpu{job="a"}')).to.equal('timestamp(my:cpu{job="a"})');
    expect(timeOf('rate(x[$window])')).to.equal(undefined);
    expect(timeOf('a / b')).to.equal(undefined);
  });
});
