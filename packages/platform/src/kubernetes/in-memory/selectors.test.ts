import { expect } from 'chai';
import { ClusterApiError } from '../cluster-api.js';
import { compileSelectors } from './selectors.js';

const POD = {
  metadata: { name: 'p1', namespace: 'team', labels: { app: 'web', 'example.com/tier': 'front' } },
  spec: { nodeName: 'n1' },
  status: { phase: 'Running' },
};

describe('selectors', () => {
  const fields: [selector: string, matches: boolean][] = [
    ['', true],
    ['spec.nodeName=n1', true],
    ['spec.nodeName==n1', true],
    ['spec.nodeName!=n1', false],
    ['spec.nodeName=', false],
    ['spec.schedulerName=', true],
    ['metadata.name=p1,metadata.namespace=team', true],
    ['metadata.name=p1,metadata.namespace=other', false],
    ['status.phase!=Failed, status.phase!=Succeeded', true],
  ];
  for (const [fieldSelector, matches] of fields) {
    it(`field selector "${fieldSelector}" ${matches ? 'takes' : 'leaves'} the pod`, () => {
      expect(compileSelectors('pods', { fieldSelector })(POD)).to.equal(matches);
    });
  }

  const labels: [selector: string, matches: boolean][] = [
    ['app=web', true],
    ['app = web , example.com/tier==front', true],
    ['app!=web', false],
    ['missing!=web', true],
    ['missing=', false],
    ['app in (db, web)', true],
    ['app notin (db,web)', false],
    ['missing notin (db)', true],
    ['example.com/tier', true],
    ['!example.com/tier', false],
    ['toString', false],
  ];
  for (const [labelSelector, matches] of labels) {
    it(`label selector "${labelSelector}" ${matches ? 'takes' : 'leaves'} the pod`, () => {
      expect(compileSelectors('pods', { labelSelector })(POD)).to.equal(matches);
    });
  }

  const refused: [query: { fieldSelector?: string; labelSelector?: string }, text: string][] = [
    [
      { fieldSelector: 'spec.colour=red' },
      'field label not supported: spec.colour; for pods use one of metadata.name',
    ],
    [{ fieldSelector: 'spec.nodeName' }, 'invalid field selector "spec.nodeName"'],
    [{ labelSelector: 'app in web' }, 'unable to parse label selector requirement "app in web"'],
    [{ labelSelector: 'app=a=b' }, '"app=a=b"'],
  ];
  for (const [query, text] of refused) {
    it(`refuses ${JSON.stringify(query)} and says why`, () => {
      expect(() => compileSelectors('pods', query)).to.throw(ClusterApiError, text);
    });
  }
});
