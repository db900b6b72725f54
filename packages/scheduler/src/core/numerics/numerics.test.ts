import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { floatParts, fromFloatParts } from './float-parts.js';
import { fusedMultiplyAdd, separateMultiplyAdd } from './fused-multiply-add.js';
import { goExp } from './go-exp.js';
import { goLog } from './go-log.js';
import { goPow } from './go-pow.js';
import { incompleteBeta } from './incomplete-beta.js';
import { logGamma } from './log-gamma.js';

type Row = readonly (number | string)[];

function table(name: string): Readonly<Record<string, readonly Row[]>> {
  const text = readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), 'utf8');
  return JSON.parse(text) as Readonly<Record<string, readonly Row[]>>;
}

const ofGo = table('go-math');
const exact = table('high-precision');

function rows(of: Readonly<Record<string, readonly Row[]>>, key: string): readonly (readonly number[])[] {
  const found = (of[key] ?? []).map((row) => row.map(Number));
  expect(found.length, key).to.be.greaterThan(60);
  return found;
}

const FUNCTIONS: Readonly<Record<string, (...args: number[]) => number>> = {
  exp: (x = 0) => goExp(x),
  expWithoutFma: (x = 0) => goExp(x, separateMultiplyAdd),
  log: (x = 0) => goLog(x),
  pow: (x = 0, y = 0) => goPow(x, y),
  fma: (a = 0, b = 0, c = 0) => fusedMultiplyAdd(a, b, c),
  logGamma: (x = 0) => logGamma(x),
  incompleteBeta: (a = 0, b = 0, x = 0) => incompleteBeta(a, b, x),
};

describe("numerics: Go's functions, bit for bit", () => {
  for (const [key, compute] of Object.entries(FUNCTIONS)) {
    it(key, () => {
      const wrong = rows(ofGo, key).filter((row) => !Object.is(compute(...row.slice(0, -1)), row.at(-1)));
      expect(wrong).to.deep.equal([]);
    });
  }

  it('the two kinds of exp differ, so the table tells them apart', () => {
    const fused = rows(ofGo, 'exp').map((row) => row.at(-1));
    const separate = rows(ofGo, 'expWithoutFma').map((row) => row.at(-1));
    expect(fused.filter((value, index) => value !== separate[index]).length).to.be.greaterThan(3);
  });

  it('infinities and values that are no numbers', () => {
    expect(goExp(Number.NaN)).to.satisfy(Number.isNaN);
    expect(goExp(Number.POSITIVE_INFINITY)).to.equal(Number.POSITIVE_INFINITY);
    expect(goExp(Number.NEGATIVE_INFINITY)).to.equal(0);
    expect(goLog(-1)).to.satisfy(Number.isNaN);
    expect(goLog(Number.POSITIVE_INFINITY)).to.equal(Number.POSITIVE_INFINITY);
    expect(goPow(1, Number.POSITIVE_INFINITY)).to.equal(1);
    expect(goPow(0.9999, Number.POSITIVE_INFINITY)).to.equal(0);
    expect(goPow(2, Number.POSITIVE_INFINITY)).to.equal(Number.POSITIVE_INFINITY);
    expect(goPow(-0.5, 3)).to.satisfy(Number.isNaN);
    expect(goPow(Number.NaN, 2)).to.satisfy(Number.isNaN);
    expect(logGamma(0)).to.equal(Number.POSITIVE_INFINITY);
    expect(logGamma(-1)).to.satisfy(Number.isNaN);
    for (const [a, b, x] of [
      [0, 1, 0.5],
      [1, -1, 0.5],
      [2, 2, -0.1],
      [2, 2, 1.1],
      [Number.NaN, 2, 0.5],
      [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0.5],
    ] as const) {
      expect(incompleteBeta(a, b, x), `${a} ${b} ${x}`).to.satisfy(Number.isNaN);
    }
  });
});

describe('numerics: error against values of 25 digits', () => {
  const bounds: Readonly<Record<string, (...args: number[]) => number>> = {
    exp: (_x, value = 0) => 2.3e-16 * value,
    log: (_x, value = 0) => 2.3e-16 * Math.abs(value),
    logGamma: (_x, value = 0) => 4e-16 * Math.max(1, Math.abs(value)),
    incompleteBeta: (a = 0, b = 0) => (Math.max(a, b) <= 100 ? 2e-13 : Math.max(a, b) <= 1e4 ? 2e-11 : 2e-9),
  };
  for (const [key, bound] of Object.entries(bounds)) {
    it(`${key} stays within its stated bound`, () => {
      const wrong = rows(exact, key).filter((row) => {
        const error = Math.abs((FUNCTIONS[key]?.(...row.slice(0, -1)) ?? Number.NaN) - (row.at(-1) ?? 0));
        return !(error <= bound(...row) + Number.MIN_VALUE);
      });
      expect(wrong).to.deep.equal([]);
    });
  }
});

describe('numerics: properties', () => {
  const magnitude = fc
    .double({ min: -1e15, max: 1e15, noNaN: true })
    .filter((x) => x === 0 || Math.abs(x) > 1e-15);

  it('a fused multiply-add is the exact value rounded once', () => {
    fc.assert(
      fc.property(magnitude, magnitude, magnitude, (a, b, c) => {
        expect(fusedMultiplyAdd(a, b, c) + 0).to.equal(exactMultiplyAdd(a, b, c));
      }),
    );
  });

  it('parts of a number give the number back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const parts = floatParts(x);
        if (x !== 0) expect(Math.abs(parts.fraction)).to.be.within(0.5, 1 - 2 ** -53);
        expect(fromFloatParts(parts)).to.equal(x);
      }),
    );
  });

  it('the distribution function rises with x and mirrors: I_x(a, b) = 1 - I_(1-x)(b, a)', () => {
    const shape = fc.double({ min: 0.05, max: 500, noNaN: true });
    const place = fc.integer({ min: 0, max: 1024 }).map((n) => n / 1024);
    fc.assert(
      fc.property(shape, shape, place, place, (a, b, x, y) => {
        expect(incompleteBeta(a, b, Math.min(x, y))).to.be.at.most(
          incompleteBeta(a, b, Math.max(x, y)) + 1e-12,
        );
        expect(incompleteBeta(a, b, x)).to.be.within(0, 1 + 1e-12);
        expect(incompleteBeta(a, b, x)).to.be.closeTo(1 - incompleteBeta(b, a, 1 - x), 1e-11);
      }),
    );
  });
});

/** By whole numbers of any size. */
function exactMultiplyAdd(a: number, b: number, c: number): number {
  const [am, ae] = whole(a);
  const [bm, be] = whole(b);
  const [cm, ce] = whole(c);
  const exponent = Math.min(ae + be, ce);
  const sum = am * bm * 2n ** BigInt(ae + be - exponent) + cm * 2n ** BigInt(ce - exponent);
  return rounded(sum, exponent);
}

function whole(x: number): readonly [bigint, number] {
  const { fraction, exponent } = floatParts(x);
  return [BigInt(fraction * 2 ** 53), exponent - 53];
}

/** `Number` rounds a bigint to nearest, even on a tie, as long as it is not too large. */
function rounded(sum: bigint, exponent: number): number {
  const bits = sum.toString(2).length;
  if (bits < 1000) return Number(sum) * 2 ** exponent;
  const cut = BigInt(bits - 900);
  const sticky = sum % 2n ** cut === 0n ? 0n : 1n;
  return Number(((sum >> cut) << 1n) | sticky) * 2 ** (exponent + bits - 901);
}
