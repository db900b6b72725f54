import type { PodAffinityTerm } from '@catamaran/model';
import { expect } from 'chai';
import { requiredAntiAffinityTerms, termMatches } from './affinity-term.js';

const owner = { name: 'owner', namespace: 'home', labels: { app: 'a', rev: '1' } };

function matches(
  term: Partial<PodAffinityTerm>,
  pod: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> },
  namespaceLabels: Readonly<Record<string, string>> = {},
): boolean {
  const full = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'a' } }, ...term };
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [full] };
  const [compiled] = requiredAntiAffinityTerms({ metadata: owner, spec: { affinity: { podAntiAffinity } } });
  if (compiled === undefined) throw new Error('one term in, one term out');
  return termMatches(compiled, { namespace: 'home', labels: { app: 'a' }, ...pod }, namespaceLabels);
}

describe('a required anti-affinity term', () => {
  it('looks at its own namespace unless it says otherwise', () => {
    expect([matches({}, {}), matches({}, { namespace: 'away' })]).to.deep.equal([true, false]);
  });

  it('namespaces name others and leave the own one out', () => {
    const term = { namespaces: ['away'] };
    expect([matches(term, {}), matches(term, { namespace: 'away' })]).to.deep.equal([false, true]);
  });

  it('namespaceSelector adds namespaces by their labels, an empty one all', () => {
    const term = { namespaces: ['away'], namespaceSelector: { matchLabels: { tier: 'one' } } };
    expect(matches(term, {}, { tier: 'one' })).to.equal(true);
    expect(matches(term, {}, { tier: 'two' })).to.equal(false);
    expect(matches(term, { namespace: 'away' }, { tier: 'two' })).to.equal(true);
    expect(matches({ namespaceSelector: {} }, { namespace: 'anywhere' })).to.equal(true);
  });

  it('without a label selector it matches no pod, with an empty one every pod', () => {
    expect(matches({ labelSelector: {} }, { labels: {} })).to.equal(true);
    const bare = { topologyKey: 'zone' };
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [bare] };
    const [compiled] = requiredAntiAffinityTerms({
      metadata: owner,
      spec: { affinity: { podAntiAffinity } },
    });
    expect(compiled !== undefined && termMatches(compiled, { namespace: 'home', labels: {} }, {})).to.equal(
      false,
    );
  });

  it('matchLabelKeys narrows it to the own value, mismatchLabelKeys to others; absent keys are ignored', () => {
    const same = { labels: { app: 'a', rev: '1' } };
    const other = { labels: { app: 'a', rev: '2' } };
    expect([
      matches({ matchLabelKeys: ['rev'] }, same),
      matches({ matchLabelKeys: ['rev'] }, other),
    ]).to.deep.equal([true, false]);
    expect([
      matches({ mismatchLabelKeys: ['rev'] }, same),
      matches({ mismatchLabelKeys: ['rev'] }, other),
    ]).to.deep.equal([false, true]);
    expect(matches({ matchLabelKeys: ['absent'] }, same)).to.equal(true);
  });
});
