import { expect } from 'chai';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { catalogueEntry, PLUGIN_CATALOGUE } from '../core/config/plugin-catalogue.js';
import { PLUGIN_DEFINITIONS } from '../core/plugins/plugin-definitions.js';
import { loadSchedulerConfig } from './load-scheduler-config.js';
import { nodeAt, parseSource, plainValue } from './source-node.js';

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

  it('calls built what has code, and nothing else', () => {
    // InterPodAffinity has code for one part only: the required anti-affinity of pods already placed.
    const partly = ['InterPodAffinity'];
    const withoutDefinition = ['SchedulingGates', 'PrioritySort', 'DefaultBinder'];
    const built = PLUGIN_CATALOGUE.filter((entry) => entry.built).map(({ name }) => name);
    const defined = PLUGIN_DEFINITIONS.map(({ name }) => name).filter((name) => !partly.includes(name));
    expect(built.toSorted()).to.deep.equal([...defined, ...withoutDefinition].toSorted());
    expect(catalogueEntry('InterPodAffinity')?.built).to.equal(false);
  });
});
