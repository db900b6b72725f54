import { expect } from 'chai';
import fc from 'fast-check';
import { decodeWatcherDocument } from './decode.js';
import type { Metric, WatcherDocument } from './document.js';
import { encodeWatcherDocument, encodeWatcherParts } from './encode.js';
import { plainDecimal } from './number-text.js';

const cpu = (value: number, operator = 'AVG'): Metric => ({
  name: 'instance:node_cpu:ratio',
  type: 'CPU',
  operator,
  rollup: '15m',
  value,
});

function documentOf(nodes: Iterable<readonly [string, readonly Metric[]]>): WatcherDocument {
  return {
    timestampUnixSeconds: 1800000001,
    window: { duration: '15m', startUnixSeconds: 1799999100, endUnixSeconds: 1800000000 },
    source: 'Prometheus',
    nodes: new Map(nodes),
  };
}

function decode(text: string): WatcherDocument {
  const result = decodeWatcherDocument(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

function sorted(document: WatcherDocument): [string, readonly Metric[]][] {
  return [...document.nodes].sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('plainDecimal', () => {
  const rows: [value: number, text: string][] = [
    [100, '100'],
    [0, '0'],
    [-0, '-0'],
    [42.17, '42.17'],
    [0.55 * 100, '55.00000000000001'],
    [0.30000000000000004, '0.30000000000000004'],
    [0.000001, '0.000001'],
    [1e-7, '0.0000001'],
    [1.234e-12, '0.000000000001234'],
    [5e-324, '0'],
    [-1e-20, '0'],
    [1e21, '1000000000000000000000'],
    [123456789012345680000, '123456789012345680000'],
  ];
  for (const [value, text] of rows) {
    it(`writes ${value} as ${text}`, () => {
      expect(plainDecimal(value)).to.equal(text);
    });
  }

  it('reads back as the same double from 1e-6 upwards, and never has an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = plainDecimal(value);
        expect(text).to.match(/^-?\d+(\.\d+)?$/);
        if (Math.abs(value) >= 1e-6) expect(Number(text)).to.equal(value);
        else expect(Math.abs(Number(text) - value)).to.be.at.most(1e-16);
      }),
    );
  });
});

describe('encodeWatcherDocument', () => {
  it('writes every key in the order of the Go service, without white space', () => {
    expect(encodeWatcherDocument(documentOf([['worker-1', [cpu(42.17), cpu(3.25, 'STD')]]]))).to.equal(
      '{"timestamp":1800000001,"window":{"duration":"15m","start":1799999100,"end":1800000000},' +
        '"source":"Prometheus","data":{"NodeMetricsMap":{"worker-1":{"metrics":[' +
        '{"name":"instance:node_cpu:ratio","type":"CPU","operator":"AVG","rollup":"15m","value":42.17},' +
        '{"name":"instance:node_cpu:ratio","type":"CPU","operator":"STD","rollup":"15m","value":3.25}' +
        '],"tags":{},"metadata":{"dataCenter":""}}}}}',
    );
  });

  it('writes no hosts as an empty map and no metrics as an empty list', () => {
    expect(encodeWatcherDocument(documentOf([]))).to.contain('"NodeMetricsMap":{}}}');
    expect(encodeWatcherDocument(documentOf([['h', []]]))).to.contain('"h":{"metrics":[],"tags":{}');
  });

  it('escapes quotes, backslashes and control characters only', () => {
    const text = encodeWatcherDocument(documentOf([['q"b\\t\tu\u0001\u2028ö<&/\ud800', []]]));
    expect(text).to.contain('"q\\"b\\\\t\\tu\\u0001\u2028ö<&/\ufffd":{');
  });

  it('leaves out values that are not finite', () => {
    const text = encodeWatcherDocument(
      documentOf([['n', [cpu(Number.NaN), cpu(1), cpu(Number.POSITIVE_INFINITY)]]]),
    );
    expect(decode(text).nodes.get('n')).to.deep.equal([cpu(1)]);
  });

  it('gives the same bytes in pieces', () => {
    const document = documentOf([
      ['b', [cpu(1)]],
      ['a', [cpu(2)]],
    ]);
    const { head, nodes, tail } = encodeWatcherParts(document);
    expect([...nodes.keys()]).to.deep.equal(['b', 'a']);
    expect(head + [...nodes.values()].join(',') + tail).to.equal(encodeWatcherDocument(document));
  });
});

describe('decodeWatcherDocument', () => {
  const metric = fc.record({
    name: fc.string(),
    type: fc.constantFrom('CPU', 'Memory', 'Bandwidth', ''),
    operator: fc.constantFrom('AVG', 'STD', 'Latest', ''),
    rollup: fc.constantFrom('15m', ''),
    value: fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((value) => value === 0 || Math.abs(value) >= 1e-6),
  });
  const hosts = fc.array(
    fc.tuple(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('__proto__', 'constructor', '10', '2', 'n1')),
      fc.array(metric, { maxLength: 4 }),
    ),
    { maxLength: 6 },
  );

  it('reads back what the encoder wrote, whatever the host names', () => {
    fc.assert(
      fc.property(hosts, (entries) => {
        const document = documentOf(entries);
        const again = decode(encodeWatcherDocument(document));
        expect(sorted(again)).to.deep.equal(sorted(document));
        expect({ ...again, nodes: 0 }).to.deep.equal({ ...document, nodes: 0 });
      }),
    );
  });

  it('never throws and never yields a value that is not finite', () => {
    const json = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify({ data: value })),
    );
    fc.assert(
      fc.property(json, (text) => {
        const result = decodeWatcherDocument(text);
        if (!result.ok) {
          expect(result.problem).to.not.equal('');
          return;
        }
        for (const metrics of result.value.nodes.values()) {
          for (const one of metrics) expect(Number.isFinite(one.value)).to.equal(true);
        }
      }),
    );
  });

  it('drops metrics whose value is a bare NaN or infinity, and leaves such words in strings alone', () => {
    const text =
      '{"data":{"NodeMetricsMap":{"NaN":{"metrics":[{"type":"CPU","value":NaN},{"type":"CPU","value":+Inf},' +
      '{"type":"CPU","value":-Infinity},{"name":"a \\" NaN, Inf","type":"Memory","operator":"AVG","value":7}]}}}}';
    expect([...decode(text).nodes]).to.deep.equal([
      ['NaN', [{ name: 'a " NaN, Inf', type: 'Memory', operator: 'AVG', rollup: '', value: 7 }]],
    ]);
  });

  const accepted: [sentence: string, text: string, nodes: [string, number[]][]][] = [
    ['an empty map is a document without nodes', '{}', []],
    ['null is one too', 'null', []],
    ['hosts directly under data are not seen', '{"data":{"n":{"metrics":[]}}}', []],
    ['another spelling of NodeMetricsMap is not seen', '{"data":{"nodeMetricsMap":{"n":{}}}}', []],
    [
      'absent metrics are none',
      '{"data":{"NodeMetricsMap":{"n":{},"m":{"metrics":null},"o":null}}}',
      [
        ['n', []],
        ['m', []],
        ['o', []],
      ],
    ],
    [
      'a missing or null value is left out, not read as 0',
      '{"data":{"NodeMetricsMap":{"n":{"metrics":[{"type":"CPU"},{"type":"CPU","value":null},null,{"value":0}]}}}}',
      [['n', [0]]],
    ],
    [
      'unknown keys are skipped at every level',
      '{"x":1,"data":{"y":[],"NodeMetricsMap":{"n":{"z":{},"metrics":[{"value":1,"w":null}]}}}}',
      [['n', [1]]],
    ],
    [
      'of a repeated host the last counts',
      '{"data":{"NodeMetricsMap":{"n":{"metrics":[{"value":1}]},"n":{"metrics":[{"value":2}]}}}}',
      [['n', [2]]],
    ],
    [
      'exponents and long decimals are numbers',
      '{"data":{"NodeMetricsMap":{"n":{"metrics":[{"value":3.5E1},{"value":93.1234567890123456789}]}}}}',
      [['n', [35, 93.12345678901235]]],
    ],
  ];
  for (const [sentence, text, nodes] of accepted) {
    it(sentence, () => {
      const seen = [...decode(text).nodes].map(([name, list]) => [name, list.map((one) => one.value)]);
      expect(seen).to.deep.equal(nodes);
    });
  }

  it('truncates fractional seconds', () => {
    expect(decode('{"timestamp":1.9,"window":{"end":1e3,"start":-1.5}}').window).to.deep.equal({
      duration: '',
      startUnixSeconds: -1,
      endUnixSeconds: 1000,
    });
  });

  const refused: [sentence: string, text: string, part: string][] = [
    [
      'a string as value refuses the document',
      '{"data":{"NodeMetricsMap":{"n":{"metrics":[{"value":"30"}]}}}}',
      'data.NodeMetricsMap["n"].metrics[0].value: expected a number, got "30"',
    ],
    ['a list as document', '[]', 'document: expected a map, got a list'],
    ['a text as timestamp', '{"timestamp":"x"}', 'timestamp: expected a number of seconds, got "x"'],
    [
      'a map as metrics',
      '{"data":{"NodeMetricsMap":{"n":{"metrics":{}}}}}',
      '.metrics: expected a list, got a map',
    ],
    [
      'a number as metadata',
      '{"data":{"NodeMetricsMap":{"n":{"metadata":1}}}}',
      '.metadata: expected a map, got 1',
    ],
    ['a truncated body', '{"timestamp":1,"data":{"Node', 'not JSON'],
    ['an error page', '<html>login</html>', 'the body begins "<html>login'],
  ];
  for (const [sentence, text, part] of refused) {
    it(`says where it is wrong: ${sentence}`, () => {
      const result = decodeWatcherDocument(text);
      expect(result.ok).to.equal(false);
      if (!result.ok) expect(result.problem).to.contain(part);
    });
  }
});
