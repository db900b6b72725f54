import { expect } from 'chai';
import { filterText, metadataPath, windowPath } from './query.js';

const SPAN = { startMs: 1_799_999_100_000, endMs: 1_800_000_000_000 };
const BLUE = { hostNameSuffix: '.dc1.example.test', clusterName: 'blue' };

describe('queries of SignalFx', () => {
  const filters: [sentence: string, suffix: string, cluster: string, text: string][] = [
    [
      "with suffix and cluster it is the Go service's",
      '.dc1.example.test',
      'blue',
      'host:*.dc1.example.test AND cluster:blue AND sf_metric:"memory.utilization"',
    ],
    [
      'without a cluster none is asked for (the Go service asks for an empty one)',
      '',
      '',
      'host:* AND sf_metric:"memory.utilization"',
    ],
    ['a wildcard stays one', '', 'blue-*', 'host:* AND cluster:blue-* AND sf_metric:"memory.utilization"'],
    [
      'other characters are quoted',
      '',
      'blue "1"',
      'host:* AND cluster:"blue \\"1\\"" AND sf_metric:"memory.utilization"',
    ],
  ];
  for (const [sentence, hostNameSuffix, clusterName, text] of filters) {
    it(sentence, () => {
      expect(filterText('Memory', { hostNameSuffix, clusterName })).to.equal(text);
    });
  }

  it('points of all hosts in one call', () => {
    const url = new URL(windowPath('CPU', BLUE, SPAN), 'http://x');
    expect(url.pathname).to.equal('/v1/timeserieswindow');
    expect([...url.searchParams]).to.deep.equal([
      ['endMs', '1800000000000'],
      ['query', 'host:*.dc1.example.test AND cluster:blue AND sf_metric:"cpu.utilization"'],
      ['resolution', '60000'],
      ['startMs', '1799999100000'],
    ]);
  });

  it('hosts of the series, in pages; the first has no offset', () => {
    const parameters = (offset: number) => [
      ...new URL(metadataPath('CPU', BLUE, { limit: 10_000, offset }), 'http://x').searchParams.keys(),
    ];
    expect(metadataPath('CPU', BLUE, { limit: 10_000, offset: 0 })).to.match(
      /^\/v2\/metrictimeseries\?limit=10000&/,
    );
    expect(parameters(0)).to.deep.equal(['limit', 'query']);
    expect(parameters(10_000)).to.deep.equal(['limit', 'offset', 'query']);
  });
});
