import type { WatcherDocument } from '@catamaran/model';
import { expect } from 'chai';
import { ClusterState } from '../state/cluster-state.js';
import { explainAbsence, type LoadBasis, loadBasis, untimely } from './load-basis.js';

const NOW_MS = Date.UTC(2026, 10, 30, 12);

/** Sentence, age, limit, what is wrong with such figures. */
const ROWS: readonly (readonly [string, number, number | undefined, string | undefined])[] = [
  ['just measured', 0, 300_000, undefined],
  ['as old as allowed', 300_000, 300_000, undefined],
  ['a little older', 300_001, 300_000, 'too-old'],
  ['very old, without a limit', 1e12, undefined, undefined],
  ['as far ahead as clocks may differ', -120_000, 300_000, undefined],
  ['a little further ahead', -120_001, 300_000, 'from-the-future'],
  ['far ahead, without a limit', -1e12, undefined, undefined],
];

function basisAt(endUnixSeconds: number, whenBlind: 'zeroScore' | 'useRequests'): LoadBasis {
  const state = new ClusterState();
  state.upsertNode({ metadata: { name: 'n' }, status: { capacity: { cpu: '4' } } });
  const document: WatcherDocument = {
    timestampUnixSeconds: endUnixSeconds,
    window: { duration: '15m', startUnixSeconds: endUnixSeconds - 900, endUnixSeconds },
    source: 'Prometheus',
    nodes: new Map([['n', [{ name: '', type: 'CPU', operator: 'AVG', rollup: '15m', value: 50 }]]]),
  };
  state.setUtilization(document);
  const settings = {
    maxAgeMs: 300_000,
    missingMetrics: 'zeroScore',
    whenBlind,
    countsUnmeasured: true,
  } as const;
  return loadBasis(
    { snapshot: state.snapshot(NOW_MS) },
    { source: 'default', settings, measuredNodes: ({ measuredNodes }) => measuredNodes },
  );
}

describe('the time of figures', () => {
  for (const [sentence, ageMs, maxAgeMs, problem] of ROWS) {
    it(`${sentence}: ${problem ?? 'usable'}`, () => {
      expect(untimely(ageMs, { maxAgeMs })).to.equal(problem);
    });
  }

  it('figures from the future are no figures, and explanations say why', () => {
    const basis = basisAt(NOW_MS / 1000 + 121, 'zeroScore');
    expect(basis.loadIndex).to.equal(undefined);
    expect(explainAbsence(basis)).to.deep.equal({
      missingMetrics: 'zeroScore',
      figures: 'from-the-future',
      metricsEndUnixSeconds: NOW_MS / 1000 + 121,
      metricsAgeSeconds: -121,
    });
  });

  it('with figures from the future alone a profile is blind', () => {
    expect(basisAt(NOW_MS / 1000 + 121, 'useRequests').missing).to.equal('useRequests');
    expect(basisAt(NOW_MS / 1000 + 120, 'useRequests').missing).to.equal('zeroScore');
  });
});
