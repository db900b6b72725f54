import { expect } from 'chai';
import fc from 'fast-check';
import { parseOptionsFile } from './options-file.js';

describe('parseOptionsFile', () => {
  it('reads a mapping, and where each key stands', () => {
    expect(parseOptionsFile('w.yaml', '# mine\nport: 2021\n\nheaders:\n  X-A: "1"\n')).to.deep.equal({
      path: 'w.yaml',
      values: { port: 2021, headers: { 'X-A': '1' } },
      lines: { port: 2, headers: 4 },
    });
  });

  it('reads JSON, too', () => {
    const { values, lines } = parseOptionsFile('w.json', '{\n  "port": 2021,\n  "maxAge": "5m"\n}');
    expect([values, lines]).to.deep.equal([
      { port: 2021, maxAge: '5m' },
      { port: 2, maxAge: 3 },
    ]);
  });

  for (const [what, text] of [
    ['an empty file', ''],
    ['one of comments', '# nothing\n'],
    ['one of null', '~'],
  ] as const) {
    it(`has no options and no problem with ${what}`, () => {
      const { values, problems = [] } = parseOptionsFile('w.yaml', text);
      expect([values, problems]).to.deep.equal([{}, []]);
    });
  }

  const bad: [what: string, text: string, problem: RegExp][] = [
    ['a list', '- port: 1', /^must be a mapping such as port: 2020 \(w\.yaml, line 1\)$/],
    ['a word', 'port', /^must be a mapping/],
    [
      'a key twice',
      'port: 1\nmaxAge: 5m\nport: 2',
      /^a key stands twice: keep one of them \(w\.yaml, line 3\)$/,
    ],
    ['two documents', 'port: 1\n---\nport: 2', /^a second document begins here.* \(w\.yaml, line \d\)$/],
    ['a template', 'port: {{ .Values.port }}', /^unrendered template \{\{ \.Values\.port \}\}/],
    [
      'a variable',
      `a: 1\nb: ${'$'}{PROM}`,
      /^unrendered template \$\{PROM\}: render the file before it is read \(w\.yaml, line 2\)$/,
    ],
    ['an open quote', 'a: "b', /^no YAML: .* \(w\.yaml, line 1\)$/],
    ['a tab', 'a:\n\t- b', /^no YAML: /],
  ];
  for (const [what, text, problem] of bad) {
    it(`tells ${what} and its line`, () => {
      const { values, problems = [] } = parseOptionsFile('w.yaml', text);
      expect(problems[0]).to.match(problem);
      expect(values).to.deep.equal({});
    });
  }

  it('an alias that names nothing is a problem, not a crash', () => {
    expect(parseOptionsFile('w.yaml', 'a: *nothing').problems).to.have.length.above(0);
  });

  it('never throws, for any text', () => {
    const text = fc.oneof(
      fc.string(),
      fc
        .array(fc.constantFrom('a: 1', '- b', '{', '}', '"', '&a', '*a', '---', '\t', ': ', '\n'))
        .map((parts) => parts.join('\n')),
    );
    fc.assert(
      fc.property(text, (body) => {
        expect(parseOptionsFile('w.yaml', body).values).to.be.an('object');
      }),
    );
  });
});
