import { encodingProblem } from '@catamaran/platform';
import { Composer, type CST, type Document, isScalar, Lexer, LineCounter, Parser } from 'yaml';
import type { SourceNode, SourceProblem } from './source-node.js';
import { MAX_DEPTH, TOO_DEEP, TreeBuilder } from './tree-builder.js';

/** What a ConfigMap can hold; far above any real configuration. */
export const MAX_CONFIG_BYTES = 1_048_576;
/** The parser opens up to three tokens for each level. */
const MAX_OPEN_TOKENS = 3 * MAX_DEPTH;
const MAX_PROBLEMS = 20;

/** The parsed tree, what is wrong, or, where it is single values only, both; neither for a text without content. */
export interface ParsedSource {
  readonly root?: SourceNode;
  readonly problems: readonly SourceProblem[];
}

/**
 * Reads one YAML document (JSON is a subset) in time and memory that grow with its length, whatever it holds.
 * @returns the tree, or every syntax problem with its line, the first 20.
 */
export function parseSource(text: string): ParsedSource {
  const { root, problems } = parse(text);
  if (problems.length === 0) return root === undefined ? { problems } : { root, problems };
  const rest = problems.length - MAX_PROBLEMS;
  const shown = problems.slice(0, MAX_PROBLEMS);
  const line = shown.at(-1)?.line ?? 1;
  return {
    ...(root === undefined ? {} : { root }),
    problems: rest <= 0 ? shown : [...shown, { path: '', line, text: `and ${rest} more of this kind` }],
  };
}

function parse(text: string): ParsedSource {
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) {
    return {
      problems: [{ path: '', line: 1, text: `longer than ${MAX_CONFIG_BYTES} bytes: not a configuration` }],
    };
  }
  const encoding = encodingProblem(text);
  if (encoding !== undefined) return { problems: [{ path: '', line: 1, text: encoding }] };
  const templates = templateProblems(text);
  if (templates.length > 0) return { problems: templates };
  const lines = new LineCounter();
  const documents = composed(text, lines);
  if ('text' in documents) return { problems: [documents] };
  const problems = [...syntaxProblems(documents, text, lines), ...secondDocument(documents, lines)];
  const first = documents.find(hasContent);
  if (problems.length > 0 || first === undefined) return { problems };
  const builder = new TreeBuilder(lines);
  const root = builder.build(first.contents, '');
  return builder.problems.length > 0 || root === undefined
    ? { problems: builder.problems }
    : { root, problems: builder.doubts };
}

/** The documents, composed only once their nesting is known to be bearable: the composer calls itself for each level. */
function composed(text: string, lines: LineCounter): readonly Document[] | SourceProblem {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_OPEN_TOKENS) {
      return { path: '', line: lines.linePos(parser.offset).line, text: TOO_DEEP };
    }
  }
  tokens.push(...parser.end());
  // Keys given twice are found while the tree is built, in linear time.
  const options = { lineCounter: lines, prettyErrors: false, stringKeys: true, uniqueKeys: false };
  return [...new Composer(options).compose(tokens)];
}

function syntaxProblems(
  documents: readonly Document[],
  text: string,
  lines: LineCounter,
): readonly SourceProblem[] {
  return documents.flatMap(({ errors }) =>
    errors.map(({ pos: [offset], message }) => ({
      path: '',
      line: lines.linePos(Math.min(offset, text.length)).line,
      text: message.replace(/\s+/g, ' ').trim(),
    })),
  );
}

/** Nothing, comments and a lone `null` are none. */
function hasContent({ contents }: Document): boolean {
  return contents !== null && !(isScalar(contents) && contents.value === null);
}

function secondDocument(documents: readonly Document[], lines: LineCounter): readonly SourceProblem[] {
  const [, second] = documents.filter(hasContent);
  if (second === undefined) return [];
  const line = lines.linePos(second.contents?.range?.[0] ?? second.range?.[0] ?? 0).line;
  return [{ path: '', line, text: 'a second document begins here: one file holds one configuration' }];
}

function templateProblems(text: string): readonly SourceProblem[] {
  return text.split('\n').flatMap((line, index) => {
    const found = templateIn(line.replace(/(^|\s)#.*$/, ''));
    return found === undefined
      ? []
      : [
          {
            path: '',
            line: index + 1,
            text: `unrendered template ${found}: render the file before it is read`,
          },
        ];
  });
}

/** `{{ … }}` or `{% … %}`. */
function templateIn(line: string): string | undefined {
  for (const [begin, end] of [
    ['{{', '}}'],
    ['{%', '%}'],
  ] as const) {
    const from = line.indexOf(begin);
    const to = from < 0 ? -1 : line.indexOf(end, from + begin.length);
    if (to >= 0) return line.slice(from, to + end.length);
  }
  return undefined;
}
