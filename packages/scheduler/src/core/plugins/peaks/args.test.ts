import type { Result } from '@catamaran/model';
import { expect } from 'chai';
import { peaksArgsReader, peaksSettings, readPeaksArgs } from './args.js';

const MODEL = { k0: 471.7, k1: -91.5, k2: -0.07 };

function value(raw: unknown, file?: Result<unknown>): unknown {
  const outcome = peaksArgsReader(file)(raw);
  return outcome.ok ? outcome.value : outcome.problems;
}

function problems(raw: unknown, file?: Result<unknown>): readonly string[] {
  const outcome = readPeaksArgs(raw, file);
  return outcome.ok ? [] : outcome.problems.map(({ path, text }) => `${path}: ${text}`);
}

const NO_MODELS =
  'nodePowerModel: there is no power model of any node: give some as {node: {k0: 400, k1: -90, k2: -0.07}}, or a file of them in NODE_POWER_MODEL';

/** Sentence, arguments, problems. */
const REFUSED: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['nothing', undefined, [NO_MODELS]],
  ['an empty map', { NodePowerModel: {} }, [NO_MODELS]],
  [
    'quoted numbers',
    { NodePowerModel: { n1: { k0: '471.7', k1: '-91.5', k2: '-7e-2' } } },
    [
      'nodePowerModel.n1.k1: expected a finite number, got "-91.5": remove the quotes',
      'nodePowerModel.n1.k2: expected a finite number, got "-7e-2": remove the quotes',
      'nodePowerModel.n1.k0: expected a finite number, got "471.7": remove the quotes',
    ],
  ],
  [
    'unknown fields at every depth',
    { NodePowerModel: { n1: { ...MODEL, K1: 2 } }, NodePowerModels: {}, watcheraddress: '' },
    [
      'NodePowerModels: unknown field "NodePowerModels": did you mean "nodePowerModel"?',
      'watcheraddress: unknown field "watcheraddress": did you mean "watcherAddress"?',
      'nodePowerModel.n1.K1: unknown field "K1": did you mean "k1"?',
    ],
  ],
  [
    'both spellings of a field',
    { NodePowerModel: { n1: MODEL }, nodePowerModel: { n1: MODEL } },
    ['NodePowerModel: is given as "nodePowerModel" too: remove one of the two'],
  ],
  [
    'a number for a model and text for an address',
    { NodePowerModel: { n1: 10 }, WatcherAddress: 'watcher:2020' },
    [
      'nodePowerModel.n1: expected a map, got 10',
      'watcherAddress: "watcher:2020" is not a URL: it must begin with http:// or https:// and a host',
    ],
  ],
];

describe('Peaks arguments', () => {
  for (const [theirs, ours] of [
    ['WatcherAddress', 'watcherAddress'],
    ['NodePowerModel', 'nodePowerModel'],
  ] as const) {
    it(`${theirs}, as upstream spells it, and ${ours} mean the same`, () => {
      const args = { watcherAddress: 'http://127.0.0.1:2020', nodePowerModel: { n1: MODEL } };
      const { [ours]: moved, ...rest } = args;
      expect(value({ ...rest, [theirs]: moved })).to.deep.equal(value(args));
      expect(value(args)).to.deep.include(args);
    });
  }

  it('without an address it reads a watcher of its own, as the other plugins do', () => {
    expect(value({ nodePowerModel: { n1: MODEL } })).to.deep.include({
      metricProvider: { type: 'KubernetesMetricsServer' },
    });
  });

  for (const [sentence, raw, found] of REFUSED) {
    it(`refuses ${sentence}`, () => expect(problems(raw)).to.deep.equal(found));
  }

  it('a model without k1 or k2 is taken for 0, with a warning; k0 may be left out', () => {
    const outcome = readPeaksArgs({ nodePowerModel: { n1: { k2: 0.1 }, n2: null, n3: { k1: 1, k2: 2 } } });
    expect(outcome.ok ? outcome.value : outcome).to.deep.include({
      nodePowerModel: {
        n1: { k0: 0, k1: 0, k2: 0.1 },
        n2: { k0: 0, k1: 0, k2: 0 },
        n3: { k0: 0, k1: 1, k2: 2 },
      },
    });
    const text = 'k1 or k2 is missing, which means 0: load is taken to cost no power on this node';
    expect(outcome.warnings).to.deep.equal([
      { path: 'nodePowerModel.n1', text },
      { path: 'nodePowerModel.n2', text },
    ]);
  });

  describe('the file of NODE_POWER_MODEL', () => {
    it('stands in where the arguments hold no model', () => {
      const file = { ok: true, value: { n9: MODEL } } as const;
      for (const raw of [undefined, {}, { NodePowerModel: {} }, { NodePowerModel: null }]) {
        expect(value(raw, file), JSON.stringify(raw)).to.deep.include({ nodePowerModel: { n9: MODEL } });
      }
      expect(value({ NodePowerModel: { n1: MODEL } }, file)).to.deep.include({
        nodePowerModel: { n1: MODEL },
      });
    });

    it('is checked like the arguments', () => {
      expect(problems({}, { ok: true, value: { n9: { k1: 'x' } } })).to.deep.equal([
        'NODE_POWER_MODEL.n9.k1: expected a finite number, got "x"',
      ]);
      expect(problems({}, { ok: true, value: {} })).to.deep.equal([NO_MODELS]);
    });

    it('matters only where it is needed', () => {
      const file = { ok: false, problem: "/models.json can't be read" } as const;
      expect(problems({}, file)).to.deep.equal(["nodePowerModel: /models.json can't be read"]);
      expect(problems({ NodePowerModel: { n1: MODEL } }, file)).to.deep.equal([]);
    });
  });

  it('settings hold what the plugin uses', () => {
    const { models, load } = peaksSettings({ nodePowerModel: { n1: MODEL }, unmeasuredPods: 'count' });
    expect([...models]).to.deep.equal([['n1', MODEL]]);
    expect([load.countsUnmeasured, peaksSettings({}).load.countsUnmeasured]).to.deep.equal([true, false]);
  });
});
