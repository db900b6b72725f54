import { expect } from 'chai';
import { readExplainOptions } from './options.js';

describe('readExplainOptions', () => {
  for (const [sentence, argv, message] of [
    ['no pod', [], 'no pod given: name one as NAMESPACE/POD'],
    ['a pod without namespace', ['web-0'], 'web-0: expected NAMESPACE/POD, such as default/web-0'],
    ['a pod and a file', ['a/b', '--file=x'], '--file=x: either a file or the name of a pod (a/b), not both'],
    ['an empty file name', ['--file='], '--file: is empty'],
    ['two pods', ['a/b', 'c/d'], 'c/d: unexpected; one pod at a time'],
    ['a kind without a name', ['pod'], 'pod: of what name? Write pod/NAME'],
    ['a kind with a name and a namespace', ['pod/a/b'], 'pod/a/b: expected NAMESPACE/POD, such as default/b'],
    ['a name that is empty', ['a/'], 'a/: expected NAMESPACE/POD, such as default/a'],
    ['two namespaces', ['a/b', '-n', 'c'], '--namespace=c: a/b says another; leave one of them out'],
    ['an empty namespace', ['pod/b', '--namespace='], '--namespace: is empty'],
    ['a file and a namespace', ['--file=x', '-n', 'c'], '--namespace: only for a pod that is named'],
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

  for (const [sentence, argv, podKey] of [
    ['a namespace and a name', ['a/b'], 'a/b'],
    ['pod/NAME, of the namespace default', ['pod/packed'], 'default/packed'],
    ['pods/NAME', ['pods/packed'], 'default/packed'],
    ['the short name of the kind', ['po/packed'], 'default/packed'],
    ['a kind in capitals', ['Pod/packed'], 'default/packed'],
    ['the kind as a word of its own', ['pod', 'packed'], 'default/packed'],
    ['pod/NAME of another namespace', ['pod/packed', '-n', 'shop'], 'shop/packed'],
    ['a namespace before', ['--namespace', 'shop', 'pods', 'packed'], 'shop/packed'],
    ['a name beside its namespace', ['packed', '-n=shop'], 'shop/packed'],
    ['the same namespace twice', ['shop/packed', '-n', 'shop'], 'shop/packed'],
    ['a pod that is called like a kind', ['pod/pod'], 'default/pod'],
    ['a pod in a namespace that is called like a kind', ['pod/packed', '-n', 'pod'], 'pod/packed'],
  ] as const) {
    it(`takes ${sentence}`, () => {
      expect(readExplainOptions(argv, {})?.subject).to.deep.equal({ kind: 'recorded', podKey });
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
