import { expect } from 'chai';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { catalogueEntry, PLUGIN_CATALOGUE } from '../core/config/plugin-catalogue.js';
import { PLUGIN_DEFINITIONS } from '../core/plugins/plugin-definitions.js';
import { loadSchedulerConfig } from './load-scheduler-config.js';
import { parseSource } from './parse-source.js';
import { nodeAt, plainValue } from './source-node.js';

const HEAD = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };

describe('the config reader', () => {
  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const loaded = loadSchedulerConfig(text, 'f');
        expect(loaded.ok || loaded.problems.length > 0).to.equal(true);
      }),
    );
  });

  it('never throws, whatever stands where', () => {
    const key = fc.constantFrom(
      'profiles',
      'plugins',
      'score',
      'enabled',
      'name',
      'args',
      'pluginConfig',
      'extenders',
      'x',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, true, 0, -1, 1.5, '', '*', 'NodeResourcesFit', 'TargetLoadPacking'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 4 }), (body) => {
        const loaded = loadSchedulerConfig(stringify({ ...HEAD, ...body }), 'f');
        expect(loaded.ok || loaded.problems.length > 0).to.equal(true);
      }),
    );
  });

  it('reads YAML as JSON.parse reads the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        fc.pre(
          value !== null && !JSON.stringify(value).includes('{{') && !JSON.stringify(value).includes('{%'),
        );
        const { root, problems } = parseSource(JSON.stringify(value));
        expect(problems).to.deep.equal([]);
        expect(root && JSON.stringify(plainValue(root))).to.equal(JSON.stringify(value));
      }),
    );
  });

  it('knows the line of everything', () => {
    const { root } = parseSource('a:\n  b:\n  - c: 1\n  # a remark\n  - d: &x {e: 2}\nf: *x\n');
    if (root === undefined) {
      throw new Error('no root');
    }
    const places = ['a', 'a.b', 'a.b[0]', 'a.b[0].c', 'a.b[1].d', 'a.b[1].d.e', 'f', 'f.e'].map((path) => {
      const { path: found, line } = nodeAt(root, path);
      return `${found} ${line}`;
    });
    expect(places).to.deep.equal([
      'a 1',
      'a.b 2',
      'a.b[0] 3',
      'a.b[0].c 3',
      'a.b[1].d 5',
      'a.b[1].d.e 5',
      'f 6',
      'f.e 5',
    ]);
  });

  it('stops at a file whose aliases multiply', () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'l0: &l0 [1,1,1,1,1,1,1,1,1,1]'
        : `l${level}: &l${level} [${`*l${level - 1},`.repeat(10)}]`,
    );
    const { problems } = parseSource(levels.join('\n'));
    expect(problems.map(({ text }) => text)).to.deep.equal(['more than 50000 values: not a configuration']);
  });

  describe('ends quickly, with one clear problem,', () => {
    const nested = (open: string, count: number): string => open.repeat(count);
    const MIB = 1_048_576;
    for (const [sentence, text, problem] of [
      ['on a file of 50 MB', 'a'.repeat(50 * MIB), 'longer than 1048576 bytes: not a configuration'],
      ['on lists in lists', nested('[', MIB), 'nested more than 100 levels deep: not a configuration'],
      ['on lists in lists that close', `${nested('[', 5_000)}${nested(']', 5_000)}`, 'nested more than 100'],
      ['on maps in maps', nested('{a: ', 200_000), 'nested more than 100 levels deep: not a configuration'],
      ['on dashes', nested('- ', 500_000), 'nested more than 100 levels deep: not a configuration'],
      ['on question marks', nested('? ', 500_000), 'nested more than 100 levels deep: not a configuration'],
      [
        'on a chain of aliases',
        Array.from({ length: 3_000 }, (_, at) => `- &a${at} [${at === 0 ? '' : `*a${at - 1}`}]`).join('\n'),
        'nested more than 100 levels deep: not a configuration',
      ],
      ['on an alias of nothing', 'a: *b', '*b names no anchor: write &b at a value before it'],
      [
        'on braces without end',
        `${nested('{', 500_000)}`,
        'nested more than 100 levels deep: not a configuration',
      ],
      ['on bytes that are no text', '\u0000\u0001'.repeat(1_000), ''],
    ] as const) {
      it(sentence, () => {
        const loaded = loadSchedulerConfig(text, 'f');
        expect(loaded.ok || loaded.problems[0]).to.include(problem);
        expect(JSON.stringify(loaded)).to.have.length.below(10_000);
      });
    }

    it('on a key that stands twice a thousand times, telling the first of them', () => {
      const loaded = loadSchedulerConfig('a: 1\n'.repeat(1_000), 'f');
      const problems = loaded.ok ? [] : loaded.problems;
      expect(problems[0]).to.equal('key "a" stands twice in one map: keep one of them (f, line 2)');
      expect(problems.at(-1)).to.equal('and 979 more of this kind (f, line 21)');
      expect(problems).to.have.length(21);
    });

    it('takes levels up to the limit', () => {
      const { root, problems } = parseSource(`${nested('[', 100)}${nested(']', 100)}`);
      expect([root?.kind, problems]).to.deep.equal(['list', []]);
    });

    it('takes an anchor that is used before it is named again', () => {
      const { root } = parseSource('a: &x 1\nb: *x\nc: &x 2\nd: *x\ne: [&y {f: &x 3}, *x, *y, *x]');
      expect(root && plainValue(root)).to.deep.equal({
        a: 1,
        b: 1,
        c: 2,
        d: 2,
        e: [{ f: 3 }, 3, { f: 3 }, 3],
      });
    });
  });

  it('calls built what has code, and nothing else', () => {
    // InterPodAffinity has code for one part only: the required anti-affinity of pods already placed.
    const partly = ['InterPodAffinity'];
    const withoutDefinition = ['SchedulingGates', 'PrioritySort', 'DefaultBinder'];
    const built = PLUGIN_CATALOGUE.filter((entry) => entry.built).map(({ name }) => name);
    const defined = PLUGIN_DEFINITIONS.map(({ name }) => name).filter(
      (name) => !partly.includes(name) && !withoutDefinition.includes(name),
    );
    expect(built.toSorted()).to.deep.equal([...defined, ...withoutDefinition].toSorted());
    expect(catalogueEntry('InterPodAffinity')?.built).to.equal(false);
  });
});
