import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { encodingProblem } from './encoding-problem.js';

/** A configuration file of options, read but not yet checked against a table. */
export interface OptionsFile {
  /** For messages. */
  readonly path: string;
  /** By key of the table. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Where each key stands, counted from 1. */
  readonly lines?: Readonly<Record<string, number>>;
  /** Why it can't be read, or not as a mapping of options. */
  readonly problems?: readonly string[];
}

const TEMPLATE = /\{\{.*?\}\}|\{%.*?%\}|\$\{\w*\}/;

/** Reads one mapping in YAML or JSON. What is wrong with it is in the result, each problem with its line. */
export function parseOptionsFile(path: string, text: string): OptionsFile {
  const encoding = encodingProblem(text);
  if (encoding !== undefined) return { path, values: {}, problems: [placeInFile(path, 1, encoding)] };
  const templates = templateProblems(path, text);
  if (templates.length > 0) return { path, values: {}, problems: templates };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const problems = document.errors.map(({ code, message, pos }) =>
    placeInFile(path, lines.linePos(pos[0]).line, syntaxProblem(code, message)),
  );
  const { contents } = document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (problems.length > 0 || isEmpty) return { path, values: {}, problems };
  if (!isMap(contents)) {
    return { path, values: {}, problems: [placeInFile(path, 1, 'must be a mapping such as port: 2020')] };
  }
  const keyLines: [string, number][] = [];
  for (const { key } of contents.items) {
    if (isScalar(key)) keyLines.push([String(key.value), lines.linePos(key.range?.[0] ?? 0).line]);
  }
  try {
    const values = document.toJS() as Readonly<Record<string, unknown>>;
    return { path, values, lines: Object.fromEntries(keyLines) };
  } catch (error) {
    // Aliases that multiply, or name nothing.
    return { path, values: {}, problems: [placeInFile(path, 1, String((error as Error).message))] };
  }
}

/** The tail of every message about a place in a configuration file. */
export function placeInFile(path: string, line: number | undefined, problem: string): string {
  return `${problem} (${path}${line === undefined ? '' : `, line ${line}`})`;
}

function syntaxProblem(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'a key stands twice: keep one of them';
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here: one file holds one configuration';
  return `no YAML: ${message.replaceAll(/\s+/g, ' ').trim()}`;
}

function templateProblems(path: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = TEMPLATE.exec(line.replace(/(^|\s)#.*$/, ''));
    if (found === null) return [];
    return [
      placeInFile(path, index + 1, `unrendered template ${found[0]}: render the file before it is read`),
    ];
  });
}
