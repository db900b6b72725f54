import type { LabelSelectorRequirement, Taint, Toleration } from '@catamaran/model';
import { expect } from 'chai';
import { requirementMatches } from './label-requirement.js';
import { labelSelectorMatches } from './label-selector.js';
import { nodeTermMatches, nodeTermsMatch } from './node-selector.js';
import { isTolerated } from './toleration.js';

/** Sentence, operator, values, the label (undefined: absent), matches. */
const REQUIREMENTS: readonly (readonly [string, string, readonly string[], string | undefined, boolean])[] = [
  ['In', 'In', ['a', 'b'], 'b', true],
  ['In, another value', 'In', ['a'], 'b', false],
  ['In, absent', 'In', ['a'], undefined, false],
  ['In matches an empty value that is there', 'In', [''], '', true],
  ['In with an empty value, absent', 'In', [''], undefined, false],
  ['NotIn', 'NotIn', ['a'], 'b', true],
  ['NotIn, the value', 'NotIn', ['a'], 'a', false],
  ['NotIn matches what is absent', 'NotIn', ['a'], undefined, true],
  ['Exists', 'Exists', [], '', true],
  ['Exists, absent', 'Exists', [], undefined, false],
  ['DoesNotExist', 'DoesNotExist', [], undefined, true],
  ['DoesNotExist, there', 'DoesNotExist', [], 'a', false],
  ['Gt compares numbers, not texts', 'Gt', ['9'], '10', true],
  ['Gt is strict', 'Gt', ['10'], '10', false],
  ['Gt without a number', 'Gt', ['9'], 'ten', false],
  ['Gt with two values', 'Gt', ['1', '2'], '10', false],
  ['Lt beyond 2^53', 'Lt', ['9007199254740993'], '9007199254740992', true],
  ['Lt, the largest number of 64 bits', 'Lt', ['9223372036854775807'], '9223372036854775806', true],
  ['Lt, a limit beyond 64 bits', 'Lt', ['9223372036854775808'], '5', false],
  ['Gt, a limit below 64 bits', 'Gt', ['-9223372036854775809'], '5', false],
  ['Gt, a label beyond 64 bits', 'Gt', ['5'], '9223372036854775808', false],
  ['Lt, a label below 64 bits', 'Lt', ['5'], '-9223372036854775809', false],
  ['Gt, the smallest number of 64 bits', 'Gt', ['-9223372036854775808'], '+5', true],
  ['Lt, absent', 'Lt', ['5'], undefined, false],
  ['an operator that is not known', 'Near', ['a'], 'a', false],
  ['a label named like a method is absent', 'Exists', [], undefined, false],
];

describe('selectors', () => {
  for (const [sentence, operator, values, value, matches] of REQUIREMENTS) {
    it(sentence, () => {
      const requirement: LabelSelectorRequirement = { key: 'toString', operator, values };
      const labels = Object.fromEntries(value === undefined ? [] : [['toString', value]]);
      expect(requirementMatches(requirement, labels)).to.equal(matches);
    });
  }

  it('no label selector matches nothing, an empty one everything, parts are ANDed', () => {
    const labels = { app: 'a', tier: 'x' };
    const expressions = [{ key: 'tier', operator: 'In', values: ['x'] }];
    expect(labelSelectorMatches(undefined, labels)).to.equal(false);
    expect(labelSelectorMatches({}, labels)).to.equal(true);
    expect(
      labelSelectorMatches({ matchLabels: { app: 'a' }, matchExpressions: expressions }, labels),
    ).to.equal(true);
    expect(
      labelSelectorMatches({ matchLabels: { app: 'b' }, matchExpressions: expressions }, labels),
    ).to.equal(false);
  });

  it('terms are ORed, what is in a term is ANDed, an empty term matches nothing', () => {
    const node = { name: 'n1', labels: { zone: 'a' } };
    const zone = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] };
    const named = (name: string) => ({
      matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
    });
    expect(nodeTermMatches({}, node)).to.equal(false);
    expect(nodeTermMatches({ ...zone, ...named('n1') }, node)).to.equal(true);
    expect(nodeTermMatches({ ...zone, ...named('n2') }, node)).to.equal(false);
    expect(nodeTermsMatch([named('n2'), zone], node)).to.equal(true);
    expect(nodeTermsMatch([], node)).to.equal(false);
    const unknownField = { matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['n1'] }] };
    expect(nodeTermMatches(unknownField, node)).to.equal(false);
  });
});

describe('isTolerated', () => {
  const taint: Taint = { key: 'k', value: 'v', effect: 'NoSchedule' };
  /** Sentence, toleration, tolerated. */
  const rows: readonly (readonly [string, Toleration, boolean])[] = [
    ['key, value and effect', { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }, true],
    ['no operator means Equal', { key: 'k', value: 'v' }, true],
    ['another value', { key: 'k', value: 'w' }, false],
    ['no value stands for the empty one', { key: 'k' }, false],
    ['another effect', { key: 'k', operator: 'Exists', effect: 'NoExecute' }, false],
    ['Exists looks at no value', { key: 'k', operator: 'Exists', value: 'w' }, true],
    ['an empty key with Exists covers everything', { operator: 'Exists' }, true],
    ['an empty key with Exists within its effect', { operator: 'Exists', effect: 'NoExecute' }, false],
    ['an empty key without Exists covers nothing', { value: 'v' }, false],
    ['Gt is not known', { key: 'k', operator: 'Gt', value: '0' }, false],
  ];
  for (const [sentence, toleration, tolerated] of rows) {
    it(sentence, () => {
      expect(isTolerated(taint, [toleration])).to.equal(tolerated);
    });
  }
});
