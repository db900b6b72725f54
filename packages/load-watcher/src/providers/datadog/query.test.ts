import { expect } from 'chai';
import { queryText, timeseriesCall } from './query.js';

const SPAN = { startMs: 1_799_999_100_000, endMs: 1_800_000_000_000 };

describe('queries of Datadog', () => {
  it("with suffix and cluster it is the Go service's", () => {
    expect(queryText('CPU', { hostNameSuffix: '-blue', clusterName: 'blue' })).to.equal(
      'max:cpu.utilization{host:*-blue, cluster_name:blue} by {host}.rollup(max, 60)',
    );
  });

  it('without a cluster hosts are told apart by it, so that those of two clusters are not one (C22)', () => {
    expect(queryText('Memory', { hostNameSuffix: '', clusterName: '' })).to.equal(
      'max:memory.utilization{host:*} by {host,cluster_name}.rollup(max, 60)',
    );
  });

  it('one call asks for both resources of all hosts (C20)', () => {
    expect(timeseriesCall(['CPU', 'Memory'], { hostNameSuffix: '', clusterName: 'b' }, SPAN)).to.deep.equal({
      path: '/api/v2/query/timeseries',
      body: {
        data: {
          type: 'timeseries_request',
          attributes: {
            from: 1_799_999_100_000,
            to: 1_800_000_000_000,
            interval: 60_000,
            queries: [
              {
                data_source: 'metrics',
                name: 'cpuqueryname',
                query: 'max:cpu.utilization{host:*, cluster_name:b} by {host}.rollup(max, 60)',
              },
              {
                data_source: 'metrics',
                name: 'memoryqueryname',
                query: 'max:memory.utilization{host:*, cluster_name:b} by {host}.rollup(max, 60)',
              },
            ],
          },
        },
      },
    });
  });
});
