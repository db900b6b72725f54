import { expect } from 'chai';
import { type SignalAnswers, signalReading } from './signal-reading.js';
import { type SignalSpec, signalKey } from './signal-spec.js';

const SPEC: SignalSpec = { name: 's', promql: 'x', unit: 'percent', counts: 'highest' };

function read(spec: Partial<SignalSpec>, answers: Omit<SignalAnswers, 'readMs'>): readonly string[] {
  const { values, absences } = signalReading('k', { ...SPEC, ...spec }, { ...answers, readMs: 7 });
  return [...values, ...absences].map(([node, said]) => `${node} ${said}`);
}

const of = (...samples: (readonly [string, number])[]) => samples.map(([node, value]) => ({ node, value }));

/** Sentence, spec, answers, what is known. */
const ROWS: readonly (readonly [
  string,
  Partial<SignalSpec>,
  Omit<SignalAnswers, 'readMs'>,
  readonly string[],
])[] = [
  ['percent stays, 0 and above 100 too', {}, { samples: of(['a', 0], ['b', 104.5]) }, ['a 0', 'b 104.5']],
  ['a share becomes percent', { unit: 'ratio' }, { samples: of(['a', 0.125]) }, ['a 12.5']],
  ['an amount stays as it is (C28)', { unit: 'amount' }, { samples: of(['a', 82_353]) }, ['a 82353']],
  [
    'an amount becomes percent of a number',
    { unit: 'amount', capacity: 125_000_000 },
    { samples: of(['a', 25_000_000]) },
    ['a 20'],
  ],
  [
    'an amount becomes percent of what another query says of the node',
    { unit: 'amount', capacity: 'y' },
    { samples: of(['a', 10], ['b', 10]), capacities: of(['a', 40], ['b', 20], ['b', 50]) },
    ['a 25', 'b 20'],
  ],
  [
    'an amount of a node without capacity, or with none above 0, is not known',
    { unit: 'amount', capacity: 'y' },
    { samples: of(['a', 10], ['b', 10], ['c', 10]), capacities: of(['b', 0], ['c', Number.NaN]) },
    ['a no-capacity', 'b no-capacity', 'c no-capacity'],
  ],
  [
    'what is not finite, or negative, is not known',
    {},
    { samples: of(['a', Number.NaN], ['b', Number.POSITIVE_INFINITY], ['c', -0.5]) },
    ['a non-finite', 'b non-finite', 'c negative'],
  ],
  [
    'a share or amount whose percentage is no number is not known; one that is stays',
    { unit: 'ratio' },
    { samples: of(['a', 1.7e308], ['b', 2e306], ['c', 1e306]) },
    ['c 1e+308', 'a non-finite', 'b non-finite'],
  ],
  [
    'the same of an amount, of which a hundredfold is no number',
    { unit: 'amount', capacity: 'y' },
    {
      samples: of(['a', 1e308], ['b', 1e308], ['c', 1]),
      capacities: of(['a', 1e308], ['b', 1e-3], ['c', 1e-320]),
    },
    ['a 100', 'b non-finite', 'c non-finite'],
  ],
  ['a good series stands beside a bad one', {}, { samples: of(['a', 5], ['a', Number.NaN]) }, ['a 5']],
  ['of several series the highest counts', {}, { samples: of(['a', 5], ['a', 9], ['a', 1]) }, ['a 9']],
  ['or the lowest', { counts: 'lowest' }, { samples: of(['a', 5], ['a', 9], ['a', 1]) }, ['a 1']],
];

describe('signalReading', () => {
  for (const [sentence, spec, answers, known] of ROWS) {
    it(sentence, () => {
      expect(read(spec, answers)).to.deep.equal(known);
    });
  }
});

describe('signalKey', () => {
  it('is the same whatever a plugin calls the signal, and another for anything that changes the answer', () => {
    const others: readonly Partial<SignalSpec>[] = [
      { promql: 'y' },
      { unit: 'ratio' },
      { capacity: 1 },
      { capacity: '1' },
      { nodeLabel: 'host' },
      { counts: 'lowest' },
    ];
    expect(signalKey('s', { ...SPEC, name: 'other' })).to.equal(signalKey('s', SPEC));
    const keys = others.map((other) => signalKey('s', { ...SPEC, ...other }));
    expect(new Set([...keys, signalKey('t', SPEC), signalKey('s', SPEC)]).size).to.equal(8);
  });
});
