import { expect } from 'chai';
import { ClassCache } from '../../cycle/class-cache.js';
import { evaluate } from '../../cycle/evaluate.js';
import type { CompiledProfile } from '../../cycle/profile.js';
import { ClusterState } from '../../state/cluster-state.js';
import { podInfo } from '../../state/pod-info.js';
import { readNumericLabelArgs } from './args.js';
import { exampleNumericLabel } from './plugin.js';
import { numericLabelScore } from './score.js';

describe('ExampleNumericLabel', () => {
  /** Sentence, label, score with a best of 8. */
  const rows: readonly (readonly [string, string | undefined, number])[] = [
    ['no label', undefined, 0],
    ['no number', 'many', 0],
    ['0', '0', 0],
    ['a share is rounded down', '3', 37],
    ['the best', '8', 100],
    ['better than the best', '9', 100],
  ];
  for (const [sentence, label, score] of rows) {
    it(sentence, () => {
      expect(numericLabelScore(label, 8)).to.equal(score);
    });
  }

  it('scores nodes in a profile', () => {
    const { score } = exampleNumericLabel.create({ label: 'rank', best: 4 }, { loadSource: 'default' });
    if (score === undefined) throw new Error('the example is a score plugin');
    const profile: CompiledProfile = {
      schedulerName: 'example',
      percentageOfNodesToScore: undefined,
      filters: [],
      scores: [{ plugin: score, weight: 2 }],
      postFilters: [],
      reserves: [],
      permits: [],
      preBinds: [],
      binds: [],
      unbuilt: [],
      hardDefaultSpread: false,
      cache: new ClassCache(),
    };
    const state = new ClusterState();
    state.upsertNode({ metadata: { name: 'a', labels: { rank: '1' } } });
    state.upsertNode({ metadata: { name: 'b', labels: { rank: '3' } } });
    const pod = podInfo({ metadata: { name: 'p' }, spec: {} });
    const { scores, best } = evaluate({ pod, snapshot: state.snapshot(0) }, profile, 1);
    expect(scores.map(({ total }) => total)).to.deep.equal([50, 150]);
    expect(best).to.deep.equal(['b']);
  });

  it('refuses arguments that make no sense, all at once', () => {
    const outcome = readNumericLabelArgs({ label: 7, best: 0 });
    expect(outcome.ok ? [] : outcome.problems).to.deep.equal([
      { path: 'label', text: 'expected a string, got 7: quote it' },
      { path: 'best', text: '0 is below 1: give the number that scores 100' },
    ]);
  });
});
