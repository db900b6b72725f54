import { expect } from 'chai';
import { describeObject, readNamespace, readNode, readPod, sentence } from './read-object.js';

function damageOf(raw: unknown): readonly string[] {
  const reading = readPod(raw);
  return reading.ok ? reading.damage.map(sentence) : [`unusable: ${reading.problem}`];
}

const named = { metadata: { name: 'p' } };

describe('reading objects', () => {
  it('an object without fault is handed back itself', () => {
    const pod = {
      metadata: { name: 'p', labels: { a: 'b' } },
      spec: { containers: [{ name: 'c' }], new: 1 },
    };
    const reading = readPod(pod);
    expect(reading.ok && reading.object).to.equal(pod);
  });

  it('null stands for absent, at any depth, and is no fault', () => {
    const reading = readPod({
      metadata: { name: 'p', deletionTimestamp: null, labels: null },
      spec: {
        containers: null,
        tolerations: [null],
        nodeSelector: { zone: null },
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: null } },
        unheardOf: null,
      },
      status: null,
    });
    expect(reading).to.deep.equal({
      ok: true,
      object: {
        metadata: { name: 'p' },
        spec: { tolerations: [], nodeSelector: {}, affinity: { nodeAffinity: {} }, unheardOf: null },
      },
      damage: [],
    });
  });

  /** Sentence, spec, what is said. */
  const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['a list that is a text', { tolerations: 'x' }, ['spec.tolerations: expected a list, got "x"']],
    ['a map that is a list', { nodeSelector: [] }, ['spec.nodeSelector: expected a map, got a list']],
    ['a text that is a number', { schedulerName: 7 }, ['spec.schedulerName: expected a string, got 7']],
    ['a number that is a text', { priority: '7' }, ['spec.priority: expected a number, got "7"']],
    ['an item of a list', { containers: [{ name: 'a' }, 5] }, ['spec.containers[1]: expected a map, got 5']],
    [
      'several at once',
      { hostNetwork: 'yes', containers: [{ name: 'a', ports: {} }] },
      [
        'spec.hostNetwork: expected true or false, got "yes"',
        'spec.containers[0].ports: expected a list, got a map',
      ],
    ],
    ['no spec at all', undefined, ['spec: is missing']],
    ['a spec that is null', null, ['spec: is missing']],
    ['a spec that is a list', [], ['spec: expected a map, got a list']],
    ['a place that can not be read', { nodeName: 7 }, ['unusable: spec.nodeName: expected a string, got 7']],
  ];
  for (const [sentenceOfRow, spec, said] of rows) {
    it(`names ${sentenceOfRow}`, () => {
      expect(damageOf({ ...named, spec })).to.deep.equal(said);
    });
  }

  for (const raw of [null, undefined, 7, 'x', [], {}, { metadata: null }, { metadata: { name: '' } }]) {
    it(`${JSON.stringify(raw) ?? 'undefined'} is no object that can be used`, () => {
      expect([readPod(raw).ok, readNode(raw).ok, readNamespace(raw).ok]).to.deep.equal([false, false, false]);
    });
  }

  it('a label called __proto__ is a label', () => {
    const raw: unknown = JSON.parse('{"metadata": {"name": "n", "labels": {"__proto__": "x", "a": null}}}');
    const reading = readNode(raw);
    const labels = reading.ok ? (reading.object.metadata.labels ?? {}) : {};
    expect(Object.getOwnPropertyNames(labels)).to.deep.equal(['__proto__']);
  });

  it('a node with a field of the wrong type can not be used: nothing of it is guessed', () => {
    expect(readNode({ ...named, spec: { taints: 'x' } })).to.deep.equal({
      ok: false,
      problem: 'spec.taints: expected a list, got "x"',
    });
  });

  it('a node without a status can be used', () => {
    expect(readNode({ ...named, status: null })).to.deep.equal({ ok: true, object: named, damage: [] });
  });

  it('objects are called what people call them', () => {
    const metadata = { namespace: 'shop', name: 'web' };
    expect([
      describeObject({ metadata }),
      describeObject({ metadata: { uid: 'u' } }),
      describeObject(null),
    ]).to.deep.equal(['shop/web', 'uid u', 'an object without a name']);
  });
});
