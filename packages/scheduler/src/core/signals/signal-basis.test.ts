import { expect } from 'chai';
import { cluster, NOW_MS } from '../plugins/measured-cluster.test.js';
import { explainSignal, signalBasis } from './signal-basis.js';

/** Sentence, age in seconds, limit in seconds, state. */
const ROWS: readonly (readonly [string, number, number | undefined, string])[] = [
  ['of now', 0, 300, 'fresh'],
  ['at the limit of age', 300, 300, 'fresh'],
  ['beyond it', 300.001, 300, 'stale'],
  ['a little ahead of our clock', -120, 300, 'fresh'],
  ['from the future', -120.001, 300, 'from-the-future'],
  ['of any age, without a limit', 1e9, undefined, 'fresh'],
  ['from the future, without a limit, as figures of load', -1e6, undefined, 'fresh'],
];

describe('signalBasis', () => {
  for (const [sentence, ageSeconds, maxAgeSeconds, expected] of ROWS) {
    it(`values ${sentence}: ${expected}`, () => {
      const state = cluster({ a: {} });
      const readMs = NOW_MS - ageSeconds * 1000;
      state.setSignals([{ key: 'k', readMs, values: new Map([['a', 5]]), absences: new Map() }]);
      const snapshot = state.snapshot(NOW_MS);
      const maxAgeMs = maxAgeSeconds === undefined ? undefined : maxAgeSeconds * 1000;
      const basis = signalBasis({ snapshot }, 'k', maxAgeMs);
      expect(basis.state).to.equal(expected);
      const age = { ageSeconds: Math.round(ageSeconds) };
      expect(explainSignal(snapshot.nodeAt(0), basis)).to.deep.equal(
        expected === 'fresh' ? { value: 5, ...age } : { missing: expected, ...age },
      );
    });
  }
});
