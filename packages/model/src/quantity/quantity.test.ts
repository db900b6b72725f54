import { expect } from 'chai';
import fc from 'fast-check';
import { formatQuantity, parseQuantity, quantityMilliValue, quantityValue } from './quantity.js';

const MAX = 9223372036854775807n;

function read(input: unknown): { value: unknown; milli: unknown } {
  const parsed = parseQuantity(input);
  if (!parsed.ok) throw new Error(parsed.problem);
  return { value: quantityValue(parsed.value), milli: quantityMilliValue(parsed.value) };
}

describe('Quantity', () => {
  // Value and MilliValue as resource.Quantity of apimachinery computes them; overflow saturates here. Field cases C29
  // (nano), C30 (exponents), C31 (suffixes), C33 (fractions) are among the rows, C34 among those refused below.
  const accepted: [inputs: unknown[], value: number | bigint, milli: number | bigint][] = [
    [['0', '-0', 0, '.', '-.', '0e99999'], 0, 0],
    [['1', 1, '1e0', '00001'], 1, 1000],
    [['100m', '00100m', '0.1', '.1', 0.1, '1e-1', '100e-3'], 1, 100],
    [['1.5', '1500m', 1.5], 2, 1500],
    [['0.0001', '1n', '1u', '999u', '1e-10', '3.001n', '1e-99999', 1e-7], 1, 1],
    [['1001u'], 1, 2],
    [['1e-3', '0.001'], 1, 1],
    [['-1'], -1, -1000],
    [['-1500m'], -2, -1500],
    [['-0.5'], -1, -500],
    [['+5', '5.', 5], 5, 5000],
    [['1k', '1e3', '1E3', '1E+3'], 1000, 1000000],
    [['1Ki'], 1024, 1024000],
    [['1.5Gi'], 1610612736, 1610612736000],
    [['100.035Ki'], 102436, 102435840],
    [['0.1Ki'], 103, 102400],
    [['0.7Ki'], 717, 716800],
    [['1.5e3'], 1500, 1500000],
    [['.5'], 1, 500],
    [['1.G', '1G'], 1000000000, 1000000000000],
    [['2.5P'], 2500000000000000, 2500000000000000000n],
    [['1E'], 1000000000000000000n, MAX],
    [['1Ei'], 1152921504606846976n, MAX],
    [['7Ei'], 8070450532247928832n, MAX],
    [
      ['8Ei', '9Ei', '9223372036854775807Ki', '10E', '1e19', '1e99999', '9223372036854775808', 1e21],
      MAX,
      MAX,
    ],
    [['129e6', '129M'], 129000000, 129000000000],
    [['128974848', '128974848000m', '123Mi'], 128974848, 128974848000],
    [['120e-3'], 1, 120],
    [['51175Mi'], 53660876800, 53660876800000],
    [['15728640Ki'], 16106127360, 16106127360000],
    [['16G'], 16000000000, 16000000000000],
    [['1.1Gi', '1181116006400m'], 1181116007, 1181116006400],
    [['1400000000n'], 2, 1400],
    [['250u'], 1, 1],
    [['123456789n'], 1, 124],
  ];
  for (const [inputs, value, milli] of accepted) {
    it(`reads ${inputs.map((input) => JSON.stringify(input)).join(', ')}`, () => {
      for (const input of inputs) expect(read(input), JSON.stringify(input)).to.deep.equal({ value, milli });
    });
  }

  const refused: [input: unknown, text: string][] = [
    ['', 'empty'],
    [' 1', 'white space'],
    ['1 ', 'white space'],
    ['1 Gi', '"Gi"'],
    ['1.1.1', 'not a quantity'],
    ['0x10', 'suffix'],
    ['1_000', 'not a quantity'],
    ['1e3Ki', 'not a quantity'],
    ['1.5e2m', 'not a quantity'],
    ['100MB', '"M"'],
    ['1Kb', '"k"'],
    ['1K', '"k"'],
    ['1gi', '"Gi"'],
    ['1mi', '"Mi"'],
    ['1b', 'suffix'],
    ['1i', 'suffix'],
    ['1e', 'suffix'],
    ['1e+', 'suffix'],
    ['1e9223372036854775808', 'suffix'],
    ['1,5', 'point'],
    ['NaN', 'not a quantity'],
    ['Infinity', 'not a quantity'],
    ['+', 'not a quantity'],
    ['m', 'not a quantity'],
    ['1\n', 'white space'],
    ['1constructor', 'suffix'],
    [null, 'null'],
    [undefined, 'undefined'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [[], 'a list'],
    [{}, 'a map'],
    [true, 'boolean'],
    ['9'.repeat(300), 'longer than'],
  ];
  for (const [input, text] of refused) {
    it(`refuses ${JSON.stringify(input)?.slice(0, 20)} and says why`, () => {
      const parsed = parseQuantity(input);
      expect(parsed.ok).to.equal(false);
      if (!parsed.ok) expect(parsed.problem).to.include(text);
    });
  }

  const canonical: [string, string][] = [
    ['0.1', '100m'],
    ['1500m', '1500m'],
    ['0.0001', '100u'],
    ['1.5Gi', '1536Mi'],
    ['0.7Ki', '716800m'],
    ['1024Ki', '1Mi'],
    ['1000', '1k'],
    ['1e3', '1e3'],
    ['3.001n', '4n'],
    ['-1500m', '-1500m'],
    ['12', '12'],
  ];
  for (const [input, text] of canonical) {
    it(`prints ${input} as ${text}`, () => {
      const parsed = parseQuantity(input);
      expect(parsed.ok && formatQuantity(parsed.value)).to.equal(text);
    });
  }

  it('prints what it reads back as the same value', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'Ki', 'Mi', 'e2', 'e-2'),
        (digits, suffix) => {
          const first = parseQuantity(`${digits}${suffix}`);
          if (!first.ok) return false;
          const again = parseQuantity(formatQuantity(first.value));
          return again.ok && again.value.nano === first.value.nano;
        },
      ),
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof parseQuantity(text).ok === 'boolean'));
  });

  it('grows with the number it is given', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.constantFrom('', 'm', 'Ki', 'G'),
        (n, suffix) => {
          const low = read(`${n}${suffix}`).milli as number | bigint;
          const high = read(`${n + 1n}${suffix}`).milli as number | bigint;
          return low <= high;
        },
      ),
    );
  });
});
