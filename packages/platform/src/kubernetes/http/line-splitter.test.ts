import { expect } from 'chai';
import fc from 'fast-check';
import { LineSplitter } from './line-splitter.js';

function splitAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

describe('LineSplitter', () => {
  it('gives the same lines wherever the chunks end, within characters too', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }).map((line) => JSON.stringify(line)));
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 20 }), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const splitter = new LineSplitter(1_000_000);
        expect(splitAt(bytes, cuts).flatMap((chunk) => splitter.push(chunk))).to.deep.equal(lines);
        expect(splitter.pendingBytes).to.equal(0);
      }),
    );
  });

  it('gives the same lines byte by byte', () => {
    const splitter = new LineSplitter(100);
    const bytes = Buffer.from('{"ключ":"🚢"}\n\n{"b":2}\r\n{"c"');
    const lines = [...bytes].flatMap((byte) => splitter.push(Buffer.from([byte])));
    expect(lines).to.deep.equal(['{"ключ":"🚢"}', '{"b":2}']);
    expect(splitter.pendingBytes).to.equal(4);
  });

  it('refuses a line that is longer than the limit, in one chunk or in many', () => {
    expect(() => new LineSplitter(10).push(Buffer.from('12345678901\n'))).to.throw('longer than 10 bytes');
    const splitter = new LineSplitter(10);
    splitter.push(Buffer.from('1234567890'));
    expect(() => splitter.push(Buffer.from('1'))).to.throw('longer than 10 bytes');
    expect(new LineSplitter(10).push(Buffer.from('1234567890\n1234567890\n'))).to.have.length(2);
  });
});
