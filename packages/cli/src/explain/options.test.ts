import { expect } from 'chai';
import { readExplainOptions } from './options.js';

describe('readExplainOptions', () => {
  for (const [sentence, argv, message] of [
    ['no pod', [], 'no pod given: name one as NAMESPACE/POD'],
    ['a pod without namespace', ['web-0'], 'web-0: expected NAMESPACE/POD, such as default/web-0'],
    ['a pod and a file', ['a/b', '--file=x'], '--file=x: either a file or the name of a pod (a/b), not both'],
    ['an empty file name', ['--file='], '--file: is empty'],
    ['two pods', ['a/b', 'c/d'], 'c/d: unexpected; one pod at a time'],
    ['an address without scheme', ['a/b', '--scheduler=host:10259'], '"host:10259" is no URL'],
    ['an address of another kind', ['a/b', '--scheduler=ftp://host'], '"ftp://host" is no URL'],
    ['a profile for a decision that was made', ['a/b', '--profile=p'], '--profile: only for a pod in a file'],
    ['no nodes', ['a/b', '--nodes=0'], '--nodes'],
    ['a misspelt flag', ['a/b', '--ouput=json'], '--ouput: unknown flag; did you mean --output?'],
  ] as const) {
    it(`refuses ${sentence}`, () => {
      expect(() => readExplainOptions(argv, {})).to.throw(message);
    });
  }

  it('names all problems at once', () => {
    expect(() => readExplainOptions(['b', '--scheduler=x'], {})).to.throw(
      /2 problems:\n.*NAMESPACE\/POD.*\n.*no URL/,
    );
  });

  it('asks the secure port of this machine about a pod by default', () => {
    const options = readExplainOptions(['a/b'], {});
    expect(options?.scheduler.href).to.equal('https://127.0.0.1:10259/');
    expect(options).to.deep.include({
      subject: { kind: 'recorded', podKey: 'a/b' },
      insecureSkipTlsVerify: false,
      nodes: undefined,
      output: 'text',
    });
  });
});
