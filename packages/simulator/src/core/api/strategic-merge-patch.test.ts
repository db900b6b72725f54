import { expect } from 'chai';
import { applyMergePatch, type JsonObject } from './merge-patch.js';
import { applyStrategicMergePatch } from './strategic-merge-patch.js';

const rows: [sentence: string, target: JsonObject, patch: JsonObject, expected: JsonObject][] = [
  [
    'a condition of a known type is merged, another is added',
    { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'ok' }] } },
    {
      status: {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'PodScheduled', status: 'True' },
        ],
      },
    },
    {
      status: {
        conditions: [
          { type: 'Ready', status: 'False', reason: 'ok' },
          { type: 'PodScheduled', status: 'True' },
        ],
      },
    },
  ],
  [
    'taints are replaced whole',
    { spec: { taints: [{ key: 'a' }] } },
    { spec: { taints: [{ key: 'b' }] } },
    { spec: { taints: [{ key: 'b' }] } },
  ],
  [
    'containers merge by name, their ports by number',
    {
      spec: {
        containers: [{ name: 'a', image: '1', ports: [{ containerPort: 80, name: 'http' }] }, { name: 'b' }],
      },
    },
    { spec: { containers: [{ name: 'a', image: '2', ports: [{ containerPort: 81 }] }] } },
    {
      spec: {
        containers: [
          { name: 'a', image: '2', ports: [{ containerPort: 80, name: 'http' }, { containerPort: 81 }] },
          { name: 'b' },
        ],
      },
    },
  ],
  [
    '$patch: delete removes an item',
    { spec: { schedulingGates: [{ name: 'a' }, { name: 'b' }] } },
    { spec: { schedulingGates: [{ name: 'a', $patch: 'delete' }] } },
    { spec: { schedulingGates: [{ name: 'b' }] } },
  ],
  [
    '$patch: delete of an item that is not there changes nothing',
    { spec: { schedulingGates: [{ name: 'b' }] } },
    { spec: { schedulingGates: [{ name: 'a', $patch: 'delete' }] } },
    { spec: { schedulingGates: [{ name: 'b' }] } },
  ],
  [
    '$patch: replace replaces a list or an object',
    { spec: { volumes: [{ name: 'a' }] }, metadata: { labels: { a: '1' } } },
    {
      spec: { volumes: [{ name: 'b' }, { $patch: 'replace' }] },
      metadata: { labels: { $patch: 'replace', b: '2' } },
    },
    { spec: { volumes: [{ name: 'b' }] }, metadata: { labels: { b: '2' } } },
  ],
  [
    'null removes, and ordering directives are ignored',
    { metadata: { labels: { a: '1', b: '2' } } },
    { metadata: { labels: { a: null } }, $setElementOrder: [] },
    { metadata: { labels: { b: '2' } } },
  ],
  [
    'finalizers are a set, from which a directive takes',
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['b', 'c'] } },
    { metadata: { finalizers: ['b', 'c'] } },
  ],
  ['an object replaces what is no object', { spec: 'x' }, { spec: { a: 1 } }, { spec: { a: 1 } }],
];

describe('strategic merge patch', () => {
  for (const [sentence, target, patch, expected] of rows) {
    it(sentence, () => {
      const before = structuredClone(target);
      expect(applyStrategicMergePatch(target, patch)).to.deep.equal(expected);
      expect(target).to.deep.equal(before);
    });
  }

  it('cannot reach a prototype', () => {
    const patch = JSON.parse(
      '{"__proto__":{"polluted":true},"metadata":{"__proto__":{"polluted":true}}}',
    ) as JsonObject;
    for (const merged of [
      applyStrategicMergePatch({ metadata: {} }, patch),
      applyMergePatch({ metadata: {} }, patch),
    ]) {
      expect((merged as { polluted?: unknown }).polluted).to.equal(undefined);
      expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
    }
  });
});

describe('merge patch', () => {
  // The table of RFC 7386, appendix A.
  const examples: [target: string, patch: string, result: string][] = [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ];
  for (const [target, patch, result] of examples) {
    it(`${target} patched with ${patch} is ${result}`, () => {
      expect(applyMergePatch(JSON.parse(target), JSON.parse(patch))).to.deep.equal(JSON.parse(result));
    });
  }
});
