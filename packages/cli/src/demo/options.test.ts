import { UsageError } from '@catamaran/platform';
import { expect } from 'chai';
import { readDemoOptions } from './options.js';

function problemsOf(...argv: string[]): readonly string[] {
  try {
    readDemoOptions(argv, {});
    return [];
  } catch (error) {
    expect(error).to.be.instanceOf(UsageError);
    return (error as UsageError).problems;
  }
}

describe('readDemoOptions', () => {
  it('defaults to a made-up cluster that stays up', () => {
    expect(readDemoOptions([], {})).to.deep.equal({
      source: { kind: 'seeded', nodes: 40, pods: 500 },
      seed: 1,
      speed: undefined,
      exit: false,
      output: 'text',
    });
  });

  it('leaves the number of nodes to the trace', () => {
    const options = readDemoOptions(['--traces', '/data', '--exit', '--output=json'], {});
    expect(options).to.deep.include({
      source: { kind: 'traces', folder: '/data', nodes: undefined, pods: 4000 },
      exit: true,
      output: 'json',
    });
  });

  it('gives way to help', () => {
    expect(readDemoOptions(['--help'], {})).to.equal(undefined);
  });

  const wrong: [argv: string[], says: RegExp][] = [
    [['--nodes', '0'], /^--nodes: 0 is below the least allowed/],
    [['--pods', '2.5'], /^--pods: .*2\.5/],
    [['--seed=-1'], /^--seed: .*-1/],
    [['--speed', 'fast'], /^--speed: .*fast/],
    [['--output', 'yaml'], /^--output: .*yaml/],
    [['--shadow'], /^--shadow: shadow mode is not built yet/],
    [['--traces='], /^--traces: is empty/],
    [['--pod=3'], /^--pod: unknown flag.*--pods/],
    [['now'], /^now: unexpected argument/],
    [
      ['--nodes=2', '--pods=201'],
      /^--pods=201: 2 nodes take at most 200 pods \(100 each\); give at least --nodes=3$/,
    ],
  ];
  for (const [argv, says] of wrong) {
    it(`refuses ${argv.join(' ')}`, () => {
      const problems = problemsOf(...argv);
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(says);
    });
  }

  it('names all problems at once', () => {
    expect(problemsOf('--nodes=0', '--seed=x', '--output=xml')).to.have.length(3);
  });
});
