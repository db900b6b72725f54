import { expect } from 'chai';
import fc from 'fast-check';
import { decodeTimeseries } from './decode.js';

const BOTH = ['CPU', 'Memory'] as const;
const TIMES = [1_800_000_000_000, 1_800_000_060_000];

function answer(attributes: object, errors?: unknown): object {
  return {
    data: { id: '0', type: 'timeseries_response', attributes },
    ...(errors === undefined ? {} : { errors }),
  };
}

function seriesOf(group_tags: unknown, query_index: unknown = 0): object {
  return { group_tags, query_index, unit: [{ family: 'percentage', name: 'percent' }, null] };
}

describe('answers of Datadog', () => {
  it('a series is the points of one host and query; nulls are gaps', () => {
    const body = answer({
      series: [seriesOf(['host:n1']), seriesOf(['cluster_name:blue', 'host:n2.dc1'], 1)],
      times: TIMES,
      values: [
        [9.5, null],
        [null, 30],
      ],
    });
    const decoded = decodeTimeseries(body, BOTH);
    expect(decoded.ok && decoded.value).to.deep.equal({
      series: [
        { host: 'n1', cluster: undefined, resource: 'CPU', points: [{ unixMs: TIMES[0], percent: 9.5 }] },
        { host: 'n2.dc1', cluster: 'blue', resource: 'Memory', points: [{ unixMs: TIMES[1], percent: 30 }] },
      ],
      absences: [],
      errors: [],
    });
  });

  const hosts: [sentence: string, tags: unknown, host: string | undefined][] = [
    ['two tags host: the first that is one (D27)', ['host:n1', 'host:n2'], 'n1'],
    ['not-set is none (D27)', ['host:not-set', 'host:n2'], 'n2'],
    ['a host with a colon', ['host:fe80::1'], 'fe80::1'],
    ['no host at all (D27)', ['cluster_name:blue'], undefined],
    ['an empty host', ['host:'], undefined],
    ['a host that no agent names', ['host:N/A'], undefined],
    ['tags of another type', [{ host: 'n1' }, 7], undefined],
    ['no tags', null, undefined],
  ];
  for (const [sentence, tags, host] of hosts) {
    it(`host: ${sentence}`, () => {
      const decoded = decodeTimeseries(
        answer({ series: [seriesOf(tags)], times: TIMES, values: [[1, 2]] }),
        BOTH,
      );
      expect(decoded.ok && decoded.value.series.map((entry) => entry.host)).to.deep.equal(
        host === undefined ? [] : [host],
      );
      expect(decoded.ok && decoded.value.absences.map(({ reason }) => reason)).to.deep.equal(
        host === undefined ? ['malformed-item'] : [],
      );
    });
  }

  it('a series that is left out does not move the values of the next one to another host (D27)', () => {
    const body = answer({
      series: [seriesOf(['host:not-set']), seriesOf(['host:n2'])],
      times: TIMES,
      values: [
        [99, 99],
        [1, 1],
      ],
    });
    const decoded = decodeTimeseries(body, BOTH);
    expect(
      decoded.ok && decoded.value.series.map(({ host, points }) => [host, points[0]?.percent]),
    ).to.deep.equal([['n2', 1]]);
  });

  const odd: [sentence: string, series: unknown, values: unknown, detail: RegExp][] = [
    [
      'a query that was not asked',
      seriesOf(['host:n1'], 2),
      [1, 2],
      /^query_index 2 is none of our queries$/,
    ],
    ['a query index of another type', seriesOf(['host:n1'], '0'), [1, 2], /^query_index "0" is none/],
    ['no object', 'x', [1, 2], /^it is no object$/],
    [
      'fewer values than times',
      seriesOf(['host:n1']),
      [1],
      /^the host n1 has not as many values as there are times$/,
    ],
    ['values that are null', seriesOf(['host:n1']), null, /^the host n1 has not as many/],
  ];
  for (const [sentence, series, values, detail] of odd) {
    it(`a series with ${sentence} is told and costs no other`, () => {
      const body = answer({
        series: [series, seriesOf(['host:n2'])],
        times: TIMES,
        values: [values, [3, 4]],
      });
      const decoded = decodeTimeseries(body, BOTH);
      expect(decoded.ok && decoded.value.series.map(({ host }) => host)).to.deep.equal(['n2']);
      expect(decoded.ok && decoded.value.absences[0]?.detail).to.match(detail);
    });
  }

  it('a value of another type is a point of NaN', () => {
    const decoded = decodeTimeseries(
      answer({ series: [seriesOf(['host:n1'])], times: TIMES, values: [['7', {}]] }),
      BOTH,
    );
    expect(decoded.ok && decoded.value.series[0]?.points.map(({ percent }) => percent)).to.deep.equal([
      Number.NaN,
      Number.NaN,
    ]);
  });

  it('no series is an answer, with or without times and values', () => {
    expect(decodeTimeseries(answer({ series: [], times: [], values: [] }), BOTH).ok).to.equal(true);
    expect(decodeTimeseries(answer({ series: [] }), BOTH).ok).to.equal(true);
  });

  it('errors beside data are told, the data counts', () => {
    const body = answer(
      { series: [seriesOf(['host:n1'])], times: TIMES, values: [[1, 2]] },
      'shard timed out',
    );
    const decoded = decodeTimeseries(body, BOTH);
    expect(decoded.ok && [decoded.value.series.length, decoded.value.errors]).to.deep.equal([
      1,
      ['shard timed out'],
    ]);
  });

  const bad: [sentence: string, body: unknown, problem: string][] = [
    ['errors alone', { errors: 'Query is invalid' }, 'the answer has no data.attributes: Query is invalid'],
    ['no attributes', { data: {} }, 'the answer has no data.attributes'],
    ['no series', answer({ times: [], values: [] }), 'the answer has no series'],
    [
      'no values',
      answer({ series: [seriesOf(['host:n1'])], times: TIMES }),
      'the answer has no times and values',
    ],
    [
      'more series than values, which would be of nobody knows whom (D27)',
      answer({ series: [seriesOf(['host:n1']), seriesOf(['host:n2'])], times: TIMES, values: [[1, 2]] }),
      '2 series but 1 lists of values: nobody knows whose they are',
    ],
    ['null', null, 'the answer has no data.attributes'],
    ['a text', 'x', 'the answer has no data.attributes'],
  ];
  for (const [sentence, body, problem] of bad) {
    it(`an answer with ${sentence} is a problem`, () => {
      expect(decodeTimeseries(body, BOTH)).to.deep.equal({ ok: false, problem });
    });
  }

  it('whatever JSON comes, it is read or refused, never thrown at (fuzz)', () => {
    const tag = fc.oneof(
      fc.constantFrom('host:a', 'host:', 'host:not-set', 'cluster_name:x'),
      fc.jsonValue(),
    );
    const entry = fc.oneof(
      fc.jsonValue(),
      fc.record({
        group_tags: fc.array(tag),
        query_index: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.jsonValue()),
      }),
    );
    const shaped = fc
      .record({ series: fc.array(entry), times: fc.array(fc.jsonValue()), values: fc.array(fc.jsonValue()) })
      .map((attributes) => answer(attributes));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), shaped), (body) => {
        const decoded = decodeTimeseries(body, BOTH);
        if (!decoded.ok) {
          expect(decoded.problem).to.match(/\w{3}/);
          return;
        }
        for (const { host, points } of decoded.value.series) {
          expect(['', 'not-set', 'N/A']).to.not.include(host);
          for (const { percent } of points) expect(percent).to.be.a('number');
        }
      }),
    );
  });
});
