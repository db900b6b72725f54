import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'yaml';
import { documentText } from './document-text.js';
import { loadSchedulerConfig } from './load-scheduler-config.js';
import { parseSource } from './parse-source.js';
import { plainValue } from './source-node.js';

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

function problemsOf(body: string): readonly string[] {
  const loaded = loadSchedulerConfig(`${HEAD}${body}`, 'c.yaml');
  return loaded.ok ? [] : loaded.problems;
}

const EXACTLY = 'is larger than any whole number that can be read exactly: at most 9007199254740991';

describe('values that YAML readers disagree about', () => {
  for (const [body, problem] of [
    [
      'parallelism: 010',
      'parallelism: kube-scheduler reads 010 as octal: write it without leading zeros, or quote it if it is a text',
    ],
    [
      'parallelism: 08',
      'parallelism: kube-scheduler reads 08 as octal: write it without leading zeros, or quote it if it is a text',
    ],
    [
      'parallelism: 1_6',
      'parallelism: kube-scheduler reads 1_6 as a number: write it in plain digits, or quote it if it is a text',
    ],
    [
      'parallelism: 0b11',
      'parallelism: kube-scheduler reads 0b11 as a number: write it in plain digits, or quote it if it is a text',
    ],
    [
      'profiles: [{schedulerName: 1_6}]',
      'profiles[0].schedulerName: kube-scheduler reads 1_6 as a number: write it in plain digits, or quote it if it is a text',
    ],
    [
      'profiles: [{schedulerName: no}]',
      'profiles[0].schedulerName: kube-scheduler reads no as false: write false, or quote it if it is a text',
    ],
    [
      'leaderElection: {leaderElect: off}',
      'leaderElection.leaderElect: kube-scheduler reads off as false: write false, or quote it if it is a text',
    ],
    [
      'enableProfiling: Yes',
      'enableProfiling: kube-scheduler reads Yes as true: write true, or quote it if it is a text',
    ],
    ['enableProfiling: "yes"', 'enableProfiling: expected true or false, got the string "yes": write true'],
    [
      'enableProfiling: "false"',
      'enableProfiling: expected true or false, got the string "false": remove the quotes',
    ],
    ['parallelism: 1:30', 'parallelism: expected a number, got the string "1:30"'],
    ['parallelism: "16"', 'parallelism: expected a number, got the string "16": remove the quotes'],
    ['parallelism: 9223372036854775807', `parallelism: 9223372036854775807 ${EXACTLY}`],
    [
      'profiles: [{schedulerName: !!binary aGk=}]',
      'profiles[0].schedulerName: the tag !!binary is not supported: write the plain value',
    ],
    [
      'profiles: [{schedulerName: !!js/function "x"}]',
      'profiles[0].schedulerName: the tag !!js/function is not supported: write the plain value',
    ],
    ['profiles: !mine []', 'profiles: the tag !mine is not supported: write the plain value'],
    ['leaderElection: !!omap []', 'leaderElection: the tag !!omap is not supported: write the plain value'],
    ['parallelism: !!int "010"', 'parallelism: the tag !!int is not supported: write the plain value'],
    ['<<: {parallelism: 1}', '<<: merge keys (<<) are not supported: write the fields out'],
  ] as const) {
    it(`refuses ${body}`, () => {
      const where = problem.startsWith('<<') ? problem.replace('<<: ', '') : problem;
      expect(problemsOf(body)).to.deep.equal([`${where} (c.yaml, line 3)`]);
    });
  }

  it('tells them beside all that is wrong else, each with its line', () => {
    expect(problemsOf('parallelism: 010\nenableProfiling: on\npodMaxBackoffSeconds: 0\n')).to.deep.equal([
      'parallelism: kube-scheduler reads 010 as octal: write it without leading zeros, or quote it if it is a text (c.yaml, line 3)',
      'enableProfiling: kube-scheduler reads on as true: write true, or quote it if it is a text (c.yaml, line 4)',
      'podMaxBackoffSeconds: 0 is out of range: expected 1 or more (c.yaml, line 5)',
    ]);
  });

  for (const [text, value] of [
    ['"010"', '010'],
    ["'yes'", 'yes'],
    ['!!str no', 'no'],
    ['0x1F', 31],
    ['0o17', 15],
    ['-12', -12],
    ['0', 0],
    ['1e3', 1_000],
    ['yes sir', 'yes sir'],
    ['10.0.0.1', '10.0.0.1'],
    ['9007199254740991', 9_007_199_254_740_991],
    ['2001-01-01', '2001-01-01'],
  ] as const) {
    it(`takes ${text}`, () => {
      const { root, problems } = parseSource(`a: ${text}`);
      expect([problems, root && plainValue(root)]).to.deep.equal([[], { a: value }]);
    });
  }

  it('writes texts so that both versions of YAML read them as texts', () => {
    const odd = fc.constantFrom(
      'no',
      'Yes',
      'y',
      'off',
      '010',
      '1_6',
      '0b1',
      '1:30',
      '2001-01-01',
      '<<',
      '~',
      '1e3',
    );
    fc.assert(
      fc.property(fc.oneof(odd, fc.string()), (text) => {
        const written = documentText({ a: text });
        expect(parse(written, { version: '1.1' })).to.deep.equal({ a: text });
        expect(parse(written)).to.deep.equal({ a: text });
      }),
    );
  });
});
