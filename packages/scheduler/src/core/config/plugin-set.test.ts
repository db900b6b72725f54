import { expect } from 'chai';
import { expandPlugins, type PluginChoice, type ProfilePlugins } from './plugin-set.js';

const DEFAULT_SCORE =
  'TaintToleration:3 NodeAffinity:2 NodeResourcesFit:1 VolumeBinding:1 PodTopologySpread:2 InterPodAffinity:2 DynamicResources:2 NodeResourcesBalancedAllocation:1 ImageLocality:1';

function show(choices: readonly PluginChoice[]): string {
  return choices.map(({ name, weight }) => (weight === 0 ? name : `${name}:${weight}`)).join(' ');
}

function enable(...choices: readonly (string | readonly [string, number])[]): {
  enabled: PluginChoice[];
  disabled: string[];
} {
  const enabled = choices.map((choice) =>
    typeof choice === 'string' ? { name: choice, weight: 0 } : { name: choice[0], weight: choice[1] },
  );
  return { enabled, disabled: [] };
}

/** Sentence, plugins of the profile, what runs at score. */
const SCORE_ROWS: readonly (readonly [string, ProfilePlugins, string])[] = [
  ['nothing given: the default set of 1.37', {}, DEFAULT_SCORE],
  [
    'a plugin of our own comes after the defaults',
    { score: enable(['TargetLoadPacking', 5]) },
    `${DEFAULT_SCORE} TargetLoadPacking:5`,
  ],
  ['no weight means 1', { score: enable('TargetLoadPacking') }, `${DEFAULT_SCORE} TargetLoadPacking:1`],
  [
    'a default listed at the point moves to the front and loses its weight',
    { score: enable('NodeAffinity') },
    `NodeAffinity:1 ${DEFAULT_SCORE.replace('NodeAffinity:2 ', '')}`,
  ],
  [
    'a default listed at multiPoint keeps its place and loses its weight',
    { multiPoint: enable('TaintToleration') },
    DEFAULT_SCORE.replace('TaintToleration:3', 'TaintToleration:1'),
  ],
  [
    'the point beats multiPoint',
    { multiPoint: enable(['TaintToleration', 7]), score: enable(['TaintToleration', 4]) },
    DEFAULT_SCORE.replace('TaintToleration:3', 'TaintToleration:4'),
  ],
  [
    'disabling everything at the point leaves what it enables',
    { score: { ...enable(['TargetLoadPacking', 2]), disabled: ['*'] } },
    'TargetLoadPacking:2',
  ],
  [
    'disabling one at the point',
    { score: { enabled: [], disabled: ['VolumeBinding', 'DynamicResources', 'Unheard'] } },
    DEFAULT_SCORE.replace('VolumeBinding:1 ', '').replace('DynamicResources:2 ', ''),
  ],
  [
    'enabling beats disabling of the same name, and comes last then',
    { score: { ...enable(['NodeAffinity', 9]), disabled: ['NodeAffinity'] } },
    `${DEFAULT_SCORE.replace('NodeAffinity:2 ', '')} NodeAffinity:9`,
  ],
  [
    'a default disabled and enabled at multiPoint comes last',
    { multiPoint: { ...enable(['NodeAffinity', 9]), disabled: ['NodeAffinity'] } },
    `${DEFAULT_SCORE.replace('NodeAffinity:2 ', '')} NodeAffinity:9`,
  ],
  [
    'multiPoint enables a plugin of ours too',
    { multiPoint: enable(['TargetLoadPacking', 3]) },
    `${DEFAULT_SCORE} TargetLoadPacking:3`,
  ],
  [
    'multiPoint without defaults',
    { multiPoint: { ...enable('TargetLoadPacking'), disabled: ['*'] } },
    'TargetLoadPacking:1',
  ],
];

describe('expandPlugins', () => {
  for (const [sentence, plugins, expected] of SCORE_ROWS) {
    it(`score: ${sentence}`, () => {
      expect(show(expandPlugins(plugins).score)).to.equal(expected);
    });
  }

  it('the default set has the recorded plugins at every other point', () => {
    const { preEnqueue, queueSort, filter, postFilter, preScore, reserve, bind } = expandPlugins({});
    expect([preEnqueue, queueSort, postFilter, reserve, bind].map(show)).to.deep.equal([
      'SchedulingGates DynamicResources DefaultPreemption',
      'PrioritySort',
      'DynamicResources DefaultPreemption',
      'VolumeBinding DynamicResources',
      'DefaultBinder',
    ]);
    expect(show(filter)).to.equal(
      'NodeName NodeUnschedulable TaintToleration NodeAffinity NodePorts NodeResourcesFit VolumeRestrictions NodeVolumeLimits VolumeBinding VolumeZone PodTopologySpread InterPodAffinity DynamicResources NodeDeclaredFeatures',
    );
    expect(show(preScore)).to.equal(
      'TaintToleration NodeAffinity NodeResourcesFit VolumeBinding PodTopologySpread InterPodAffinity NodeResourcesBalancedAllocation',
    );
  });

  const binders: readonly (readonly [string, ProfilePlugins, string])[] = [
    ['DefaultBinder by default', {}, 'DefaultBinder'],
    ['nothing when it is disabled there', { bind: { enabled: [], disabled: ['DefaultBinder'] } }, ''],
    [
      'nothing when it is disabled everywhere',
      { multiPoint: { enabled: [], disabled: ['DefaultBinder'] } },
      '',
    ],
    [
      'what multiPoint brings back',
      { multiPoint: { ...enable('DefaultBinder'), disabled: ['*'] } },
      'DefaultBinder',
    ],
    ['another plugin after it, where it is named there', { bind: enable('Ours') }, 'DefaultBinder Ours'],
    ['another plugin alone', { bind: { ...enable('Ours'), disabled: ['*'] } }, 'Ours'],
  ];
  for (const [sentence, plugins, expected] of binders) {
    it(`bind: ${sentence}`, () => {
      expect(show(expandPlugins(plugins).bind)).to.equal(expected);
    });
  }

  it('preBind: a plugin named there comes after those of the default set', () => {
    expect(show(expandPlugins({ preBind: enable('Ours') }).preBind)).to.equal(
      'VolumeBinding DynamicResources Ours',
    );
  });

  it('a plugin disabled at one point stays at the others', () => {
    const { filter, score } = expandPlugins({ score: { enabled: [], disabled: ['NodeAffinity'] } });
    expect(show(filter)).to.contain('NodeAffinity');
    expect(show(score)).not.to.contain('NodeAffinity');
  });
});
