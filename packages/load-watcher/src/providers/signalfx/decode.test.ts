import { expect } from 'chai';
import fc from 'fast-check';
import { decodeMetadata, decodeWindow } from './decode.js';

describe('answers of SignalFx', () => {
  it('a window answer is points by series; a gap is no point, a wrong type is a point of NaN', () => {
    const decoded = decodeWindow({
      data: {
        AAA: [
          [1_800_000_000_000, 84.6],
          [1_800_000_060_000, null],
          [1_800_000_120_000, 'NaN'],
        ],
        BBB: [],
        CCC: { not: 'a list' },
        DDD: [7, [null, 1]],
      },
      errors: [],
    });
    expect(decoded.ok && [...decoded.value.points]).to.deep.equal([
      [
        'AAA',
        [
          { unixMs: 1_800_000_000_000, percent: 84.6 },
          { unixMs: 1_800_000_120_000, percent: Number.NaN },
        ],
      ],
      ['BBB', []],
      [
        'DDD',
        [
          { unixMs: Number.NaN, percent: Number.NaN },
          { unixMs: Number.NaN, percent: Number.NaN },
        ],
      ],
    ]);
    expect(decoded.ok && decoded.value.malformed).to.deep.equal(['CCC']);
  });

  it('errors beside data are told, the data counts', () => {
    const decoded = decodeWindow({ data: { AAA: [[1, 2]] }, errors: ['shard 7 timed out', { code: 5 }] });
    expect(decoded.ok && decoded.value.errors).to.deep.equal(['shard 7 timed out', '{"code":5}']);
  });

  it('no series is an answer', () => {
    const decoded = decodeWindow({ data: {}, errors: [] });
    expect(decoded.ok && decoded.value.points.size).to.equal(0);
  });

  const bad: [sentence: string, body: unknown, problem: string][] = [
    [
      'errors without data',
      { data: {}, errors: ['query timed out'] },
      'the answer has errors and no series: query timed out',
    ],
    ['no data', { errors: ['bad query'] }, 'the answer has no data: bad query'],
    ['data that is null (D26)', { data: null }, 'the answer has no data'],
    ['data that is a list', { data: [] }, 'the answer has no data'],
    ['no object', 'x', 'the answer has no data'],
    ['null', null, 'the answer has no data'],
  ];
  for (const [sentence, body, text] of bad) {
    it(`a window answer with ${sentence} is a problem`, () => {
      expect(decodeWindow(body)).to.deep.equal({ ok: false, problem: text });
    });
  }

  it('metadata tell host and cluster of each series, the rest is told by position (D26)', () => {
    const decoded = decodeMetadata({
      count: 7,
      partialCount: false,
      results: [
        { id: 'A', dimensions: { host: 'n1', cluster: 'blue' } },
        { id: 'B', dimensions: { host: 'n2' }, customProperties: { cluster: 'green' } },
        { id: 'C', dimensions: { host: 7 } },
        { id: 'D', dimensions: null },
        { dimensions: { host: 'n3' } },
        null,
        { id: 'E', dimensions: { host: '' } },
      ],
    });
    expect(
      decoded.ok && [...decoded.value.hosts.values()].map(({ host, cluster }) => [host, cluster]),
    ).to.deep.equal([
      ['n1', 'blue'],
      ['n2', 'green'],
    ]);
    expect(decoded.ok && decoded.value.malformed).to.deep.equal([
      "entry 2 of the series' metadata (C) has no dimension host",
      "entry 3 of the series' metadata (D) has no dimension host",
      "entry 4 of the series' metadata has no id",
      "entry 5 of the series' metadata has no id",
      "entry 6 of the series' metadata (E) has no dimension host",
    ]);
    expect(decoded.ok && [decoded.value.returned, decoded.value.total]).to.deep.equal([7, 7]);
  });

  it('a partial count is no total', () => {
    const decoded = decodeMetadata({ count: 50, partialCount: true, results: [] });
    expect(decoded.ok && decoded.value.total).to.equal(undefined);
  });

  for (const body of [null, {}, { results: {} }, { results: null }, [], 7]) {
    it(`metadata ${JSON.stringify(body)} are a problem`, () => {
      expect(decodeMetadata(body)).to.deep.equal({ ok: false, problem: 'the answer has no results' });
    });
  }

  it('whatever JSON comes, it is read or refused, never thrown at (fuzz)', () => {
    const shaped = fc.record({
      data: fc.dictionary(
        fc.string(),
        fc.array(fc.array(fc.jsonValue(), { maxLength: 3 }), { maxLength: 4 }),
      ),
      results: fc.array(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            id: fc.string(),
            dimensions: fc.dictionary(fc.constantFrom('host', 'cluster'), fc.jsonValue()),
          }),
        ),
      ),
      count: fc.jsonValue(),
      errors: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), shaped), (body) => {
        const window = decodeWindow(body);
        if (window.ok) {
          for (const points of window.value.points.values()) {
            for (const { unixMs, percent } of points) {
              expect([typeof unixMs, typeof percent]).to.deep.equal(['number', 'number']);
            }
          }
        } else expect(window.problem).to.match(/\w{3}/);
        const metadata = decodeMetadata(body);
        if (metadata.ok) {
          for (const { host } of metadata.value.hosts.values())
            expect(host).to.be.a('string').and.not.equal('');
          const told = metadata.value.hosts.size + metadata.value.malformed.length;
          expect(told).to.be.at.most(metadata.value.returned);
        }
      }),
    );
  });
});
