import { expect } from 'chai';
import fc from 'fast-check';
import type { Labels } from '../../core/mapping/resolve-node.js';
import { decodeAnswer as decodeWith, type HttpAnswer } from './decode.js';
import { parseSampleValue } from './sample-value.js';
import { SeriesTable } from './series-table.js';

const table = new SeriesTable();
const decodeAnswer = (answer: Omit<HttpAnswer, 'body' | 'mask'> & { readonly body: string }) =>
  decodeWith({ ...answer, body: Buffer.from(answer.body), mask: (text) => text }, table);
const JSON_TYPE = 'application/json';

function decode(body: unknown, status = 200) {
  return decodeAnswer({ status, contentType: JSON_TYPE, body: JSON.stringify(body) });
}

describe('parseSampleValue', () => {
  const rows: [text: unknown, value: number][] = [
    ['0.25', 0.25],
    ['0', 0],
    ['-0', -0],
    ['1.5e-07', 1.5e-7],
    ['6.2E-01', 0.62],
    ['+3', 3],
    ['NaN', Number.NaN],
    ['+Inf', Number.POSITIVE_INFINITY],
    ['Inf', Number.POSITIVE_INFINITY],
    ['-Inf', Number.NEGATIVE_INFINITY],
    ['', Number.NaN],
    [' ', Number.NaN],
    ['0x10', Number.NaN],
    ['Infinityx', Number.NaN],
    ['12abc', Number.NaN],
    [0.5, Number.NaN],
    [null, Number.NaN],
    [undefined, Number.NaN],
  ];
  for (const [text, value] of rows) {
    it(`${JSON.stringify(text)} is ${value}`, () => {
      expect(parseSampleValue(text)).to.deep.equal(value);
    });
  }
});

describe('decodeAnswer', () => {
  const vector = (result: unknown, more: object = {}) => ({
    status: 'success',
    data: { resultType: 'vector', result },
    ...more,
  });

  const samplesOf = (answer: ReturnType<typeof decodeAnswer>): [Labels, number][] =>
    answer.ok
      ? Array.from(answer.value.series, (id, index) => [table.labelsOf(id), answer.value.values[index] ?? 0])
      : [];
  const notesOf = (answer: ReturnType<typeof decodeAnswer>): readonly string[] =>
    answer.ok ? answer.value.notes : [];

  it('reads labels, value and the instant of evaluation', () => {
    const answer = decode(vector([{ metric: { instance: 'n1' }, value: [1700000000.5, '0.4'] }]));
    expect(samplesOf(answer)).to.deep.equal([[{ instance: 'n1' }, 0.4]]);
    expect(answer.ok && answer.value.evaluatedMs).to.equal(1700000000500);
    expect(notesOf(answer)).to.deep.equal([]);
  });

  it('an empty vector is an answer', () => {
    expect(decode(vector([])).ok).to.equal(true);
    expect(samplesOf(decode(vector([])))).to.deep.equal([]);
  });

  it('uses the data of compatible engines and passes on their warnings (C16)', () => {
    const answer = decode(
      vector([{ metric: {}, value: [1, '1'] }], {
        isPartial: true,
        stats: {},
        warnings: ['w1'],
        infos: ['i1'],
        trace: 5,
      }),
    );
    expect(samplesOf(answer)).to.deep.equal([[{}, 1]]);
    expect(notesOf(answer)).to.deep.equal([
      'warning: w1',
      'info: i1',
      'partial answer: some of the storage behind the query API did not answer',
    ]);
  });

  it('isPartial false is no note', () => {
    expect(notesOf(decode(vector([], { isPartial: false })))).to.deep.equal([]);
  });

  it('skips entries of another shape and labels that are no text', () => {
    const answer = decode(
      vector([null, 7, { metric: {} }, { metric: { node: 5, instance: 'n1' }, value: [1, '2'] }]),
    );
    expect(samplesOf(answer)).to.deep.equal([[{ instance: 'n1' }, 2]]);
  });

  it('a list that Go writes as null is empty', () => {
    expect(samplesOf(decode(vector(null)))).to.deep.equal([]);
  });

  for (const [what, odd] of [
    ['a histogram', { metric: { instance: 'n1' }, histogram: [1, { count: '2' }] }],
    ['a sample of null', { metric: { instance: 'n1' }, value: null }],
  ] as const) {
    it(`${what} does not take the value of the series after it`, () => {
      const sound = [
        { metric: { instance: 'n2' }, value: [1, '0.5'] },
        { metric: { instance: 'n3' }, value: [1, '0.6'] },
      ];
      const read = [
        [{ instance: 'n2' }, 0.5],
        [{ instance: 'n3' }, 0.6],
      ];
      for (const result of [
        [odd, ...sound],
        [sound[0], odd, sound[1]],
        [...sound, odd],
      ]) {
        expect(samplesOf(decode(vector(result)))).to.deep.equal(read);
      }
    });
  }

  it('reads any layout of the same answer alike, whatever stands in the labels', () => {
    const trap = fc.constantFrom(
      '{"metric":',
      ',"value":[',
      '"]}',
      '}}',
      '"',
      '\\',
      ',',
      ']',
      'n1',
      '__proto__',
    );
    // JSON.parse of Node.js 24 takes one key that is a single escaped character for another; no label is called so.
    const name = trap.filter((text) => text !== '"' && text !== '\\');
    const labels = fc.dictionary(
      fc.oneof(fc.constantFrom('instance', 'node'), name),
      fc.oneof(trap, fc.string()),
    );
    const entries = fc.array(
      fc.tuple(labels, fc.oneof(fc.double().map(String), fc.constantFrom('NaN', '+Inf', '', '"', '"]}'))),
    );
    fc.assert(
      fc.property(entries, (list) => {
        const body = vector(list.map(([metric, value]) => ({ metric, value: [1700000000.123, value] })));
        const answers = [JSON.stringify(body), JSON.stringify(body, null, 1)].map((text) =>
          decodeAnswer({ status: 200, contentType: JSON_TYPE, body: text }),
        );
        for (const answer of answers) {
          expect(samplesOf(answer)).to.deep.equal(
            list.map(([metric, value]) => [{ ...metric }, parseSampleValue(value)]),
          );
        }
      }),
    );
  });

  it('reads answers of any length, and values of any length in them', () => {
    const entry = fc.tuple(
      fc.integer({ min: 0, max: 200 }),
      fc.oneof(
        { weight: 50, arbitrary: fc.double({ noNaN: true }).map(String) },
        fc.integer({ min: 1, max: 40_000 }).map((digits) => `0.${'4'.repeat(digits)}`),
      ),
    );
    fc.assert(
      fc.property(fc.array(entry, { minLength: 200, maxLength: 400 }), (list) => {
        const result = list.map(([pad, value], index) => ({
          metric: { instance: `${'n'.repeat(pad)}${index}` },
          value: [1700000000.123, value],
        }));
        const answer = decode(vector(result));
        expect(samplesOf(answer)).to.deep.equal(
          result.map(({ metric, value: [, text] }) => [metric, Number(text)]),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('tells label sets apart in whatever order answers list them', () => {
    const entry = fc.tuple(fc.constantFrom('n1', 'n2', 'n11', 'n"', 'ñ'), fc.double({ noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.array(entry), { maxLength: 4 }), (answers) => {
        const own = new SeriesTable();
        for (const list of answers) {
          const result = list.map(([instance, value]) => ({
            metric: { instance },
            value: [1, String(value)],
          }));
          const body = Buffer.from(JSON.stringify(vector(result)));
          const answer = decodeWith({ status: 200, contentType: JSON_TYPE, body, mask: String }, own);
          const names = answer.ok && Array.from(answer.value.series, (id) => own.labelsOf(id).instance);
          expect(names).to.deep.equal(list.map(([instance]) => instance));
        }
      }),
    );
  });

  const refused: [sentence: string, answer: Parameters<typeof decodeAnswer>[0], parts: string[]][] = [
    [
      'a login page (C17 a)',
      { status: 200, contentType: 'text/html', body: `<html>${'x'.repeat(500)}` },
      ['HTTP 200', 'text/html', '<html>xxx', 'no answer of the Prometheus API'],
    ],
    [
      'a parse error (C17 b)',
      {
        status: 400,
        contentType: JSON_TYPE,
        body: '{"status":"error","errorType":"bad_data","error":"1:78: parse error"}',
      },
      ['HTTP 400', '1:78: parse error'],
    ],
    [
      'a scalar (C17 c)',
      {
        status: 200,
        contentType: JSON_TYPE,
        body: '{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}',
      },
      ['the result is a scalar', 'must give an instant vector'],
    ],
    [
      'a matrix',
      {
        status: 200,
        contentType: JSON_TYPE,
        body: '{"status":"success","data":{"resultType":"matrix","result":[]}}',
      },
      ['the result is a matrix'],
    ],
    [
      'a gateway error',
      { status: 502, contentType: '', body: 'bad gateway' },
      ['HTTP 502', 'without a content type', 'bad gateway'],
    ],
    [
      'a vector that is no list',
      {
        status: 200,
        contentType: JSON_TYPE,
        body: '{"status":"success","data":{"resultType":"vector","result":{}}}',
      },
      ['the result is a vector, but no list'],
    ],
    [
      'success without data',
      { status: 200, contentType: JSON_TYPE, body: '{"status":"success"}' },
      ['the result is a nothing'],
    ],
  ];
  for (const [sentence, answer, parts] of refused) {
    it(`refuses ${sentence} and says what came`, () => {
      const decoded = decodeAnswer(answer);
      expect(decoded.ok).to.equal(false);
      for (const part of parts) expect(!decoded.ok && decoded.problem).to.contain(part);
      expect(!decoded.ok && decoded.problem.length).to.be.below(500);
    });
  }

  it('never throws, whatever comes', () => {
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((result) => JSON.stringify(vector(result))),
      fc.array(fc.jsonValue()).map((result) => JSON.stringify(vector(result))),
    );
    fc.assert(
      fc.property(body, fc.integer({ min: 100, max: 599 }), (text, status) => {
        expect(typeof decodeAnswer({ status, contentType: JSON_TYPE, body: text }).ok).to.equal('boolean');
      }),
    );
  });
});
