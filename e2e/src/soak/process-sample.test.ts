import { expect } from 'chai';
import { growth, type ProcessSample } from './process-sample.js';

const ALLOWED = { heapMebibytes: 5, descriptors: 10 };
const FLAT: ProcessSample = {
  atSeconds: 0,
  heapMebibytes: 50,
  rssMebibytes: 100,
  descriptors: 40,
  sockets: 20,
};

/** Sixteen samples, the last four of which differ. */
const ending = (last: Partial<ProcessSample>): readonly ProcessSample[] =>
  Array.from({ length: 16 }, (_, index) => (index < 12 ? FLAT : { ...FLAT, ...last }));

describe('what grew in a soak', () => {
  const rows: readonly (readonly [string, readonly ProcessSample[], readonly string[]])[] = [
    ['a flat run has nothing', ending({}), []],
    ['as much as is allowed is nothing', ending({ heapMebibytes: 55, descriptors: 50, sockets: 30 }), []],
    ['a heap that grew', ending({ heapMebibytes: 56 }), ['it: heap (MiB) grew from 50 to 56']],
    ['descriptors that grew', ending({ descriptors: 51 }), ['it: descriptors grew from 40 to 51']],
    ['sockets that grew', ending({ sockets: 31 }), ['it: sockets grew from 20 to 31']],
    [
      'a figure that is unknown',
      ending({ heapMebibytes: Number.NaN }),
      ['it: heap (MiB) grew from 50 to NaN'],
    ],
    ['peaks of the heap before garbage collection do not count', peaks(), []],
    ['growth within the first quarter is warming up', ending({}).map(warmingUp), []],
    ['too few samples', ending({}).slice(0, 3), ['it: 3 samples are too few to tell']],
  ];
  for (const [sentence, samples, expected] of rows) {
    it(sentence, () => {
      expect(growth('it', samples, ALLOWED)).to.deep.equal(expected);
    });
  }
});

function peaks(): readonly ProcessSample[] {
  return ending({}).map((sample, index) =>
    index % 2 === 0 ? sample : { ...sample, heapMebibytes: 50 + 10 * index },
  );
}

function warmingUp(sample: ProcessSample, index: number): ProcessSample {
  return index < 4 ? { ...sample, heapMebibytes: 10, descriptors: 5, sockets: 1 } : sample;
}
