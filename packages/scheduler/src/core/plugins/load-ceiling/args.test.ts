import { expect } from 'chai';
import { readLoadCeilingArgs, readsLoad } from './args.js';

const SIGNAL = { name: 'gpu', promQL: 'x', unit: 'percent' };
const prometheus = { address: 'http://p:9090' };

function problems(raw: unknown): readonly string[] {
  const outcome = readLoadCeilingArgs(raw);
  return outcome.ok ? [] : outcome.problems.map(({ path, text }) => `${path}: ${text}`);
}

/** Sentence, arguments, problems. */
const REFUSED: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['nothing', undefined, ['ceilings: there is none: give a percentage for one of cpu, memory']],
  [
    'ceilings of what is not measured, and out of range',
    { ceilings: { gpu: 80, cpu: 120, memory: '90' }, mode: 'firm' },
    [
      'ceilings.gpu: "gpu" is not measured: known are cpu, memory; a signal makes more',
      'ceilings.cpu: 120 is not within 1 and 100: it is a percentage',
      'ceilings.memory: expected a finite number, got "90": remove the quotes',
      'mode: "firm" is not one of hard, soft',
    ],
  ],
  [
    'shares of 1 where percentages of CPU and memory are meant, for classes too',
    {
      ceilings: { cpu: 0.8, memory: 0.001, gpu: 0 },
      priorityClasses: [{ name: 'a', ceilings: { cpu: 0.9 } }],
      signals: [SIGNAL],
      prometheus,
    },
    [
      'ceilings.cpu: 0.8 is not within 1 and 100: it is a percentage',
      'ceilings.memory: 0.001 is not within 1 and 100: it is a percentage',
      'ceilings.gpu: 0 is not above 0 and up to 100: it is a percentage',
      'priorityClasses[0].ceilings.cpu: 0.9 is not within 1 and 100: it is a percentage',
    ],
  ],
  [
    'signals without a Prometheus, named as a figure of the load-watcher',
    { ceilings: { cpu: 80 }, signals: [{ ...SIGNAL, name: 'cpu' }] },
    [
      'signals[0].name: "cpu" is taken: give each signal a name of its own',
      'prometheus.address: is missing: give the URL of a Prometheus, such as http://prometheus:9090',
    ],
  ],
  [
    'classes without a name, or twice',
    {
      ceilings: { cpu: 80 },
      priorityClasses: [{ ceilings: {} }, { name: 'a' }, { name: 'a', ceilings: { disk: 1 } }],
    },
    [
      'priorityClasses[0].name: is missing: give the name of a PriorityClass',
      'priorityClasses[2].name: "a" is given twice: keep one of them',
      'priorityClasses[2].ceilings.disk: "disk" is not measured: known are cpu, memory; a signal makes more',
    ],
  ],
];

describe('arguments of LoadCeiling', () => {
  for (const [sentence, raw, expected] of REFUSED) {
    it(`refuses ${sentence}, all at once`, () => {
      expect([...problems(raw)].sort()).to.deep.equal([...expected].sort());
    });
  }

  it('fills in what is left out', () => {
    const outcome = readLoadCeilingArgs({ ceilings: { cpu: 80, gpu: 95 }, signals: [SIGNAL], prometheus });
    expect(outcome.ok && outcome.value).to.deep.equal({
      metricProvider: { type: 'KubernetesMetricsServer' },
      metricsMaxAge: '5m',
      ceilings: { cpu: 80, gpu: 95 },
      mode: 'hard',
      missingMetrics: 'pass',
      priorityClasses: [],
      signals: [{ ...SIGNAL, maxAge: '5m' }],
      prometheus,
    });
  });

  it('takes fine ceilings of signals, as of pressure', () => {
    const outcome = readLoadCeilingArgs({ ceilings: { gpu: 0.5 }, signals: [SIGNAL], prometheus });
    expect(outcome.ok && (outcome.value as { ceilings: unknown }).ceilings).to.deep.equal({ gpu: 0.5 });
  });

  for (const name of ['constructor', 'valueof', 'tostring', 'hasownproperty']) {
    it(`takes a signal named ${name}, with a ceiling or without`, () => {
      const signals = [{ ...SIGNAL, name }];
      const outcome = (ceilings: object) => readLoadCeilingArgs({ ceilings, signals, prometheus });
      const ceilingsOf = (ceilings: object): unknown => {
        const read = outcome(ceilings);
        return read.ok ? (read.value as { ceilings: unknown }).ceilings : read.problems;
      };
      expect(ceilingsOf({ cpu: 80 })).to.deep.equal({ cpu: 80 });
      expect(ceilingsOf({ cpu: 80, [name]: 50 })).to.deep.equal({ cpu: 80, [name]: 50 });
    });
  }

  it('says that a Prometheus is of no use without signals', () => {
    const { warnings } = readLoadCeilingArgs({ ceilings: { cpu: 80 }, prometheus });
    expect(warnings).to.deep.equal([
      { path: 'prometheus', text: 'has no effect without signals: remove it' },
    ]);
  });

  it('needs the load-watcher only for ceilings of CPU or memory', () => {
    expect(readsLoad({ ceilings: { gpu: 80 } })).to.equal(false);
    expect(readsLoad({ ceilings: { gpu: 80 }, priorityClasses: [{ ceilings: { cpu: 1 } }] })).to.equal(true);
    expect(readsLoad(undefined)).to.equal(false);
  });
});
