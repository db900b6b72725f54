import { expect } from 'chai';
import fc from 'fast-check';
import { addInt64, INT64_MAX, INT64_MIN, mulDivInt64, subInt64, toInt64 } from './int64.js';

const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
const clamp = (value: bigint): bigint =>
  value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : value;

describe('Int64', () => {
  it('adds and subtracts like saturating 64-bit integers', () => {
    fc.assert(
      fc.property(int64, int64, (a, b) => {
        expect(BigInt(addInt64(toInt64(a), toInt64(b)))).to.equal(clamp(a + b));
        expect(BigInt(subInt64(toInt64(a), toInt64(b)))).to.equal(clamp(a - b));
      }),
    );
  });

  it('multiplies and divides without losing a digit', () => {
    fc.assert(
      fc.property(int64, fc.bigInt({ min: 0n, max: 1000n }), int64, (a, b, divisor) => {
        fc.pre(divisor !== 0n);
        expect(BigInt(mulDivInt64(toInt64(a), toInt64(b), toInt64(divisor)))).to.equal(
          clamp((a * b) / divisor),
        );
      }),
    );
  });

  it('keeps small values as numbers and wide ones as bigints', () => {
    expect(toInt64(9007199254740991n)).to.equal(9007199254740991);
    expect(toInt64(9007199254740992n)).to.equal(9007199254740992n);
    expect(Object.is(mulDivInt64(-1, 1, 2), 0)).to.equal(true);
  });
});
