import type { OptionSpec, OptionTable } from './option-spec.js';

export interface Program {
  /** As the user types it. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** What follows the name in the usage line; by default `[flags]`. */
  readonly usage?: string;
}

const TYPE_WORDS: Readonly<Record<OptionSpec['type'], string>> = {
  string: 'TEXT',
  boolean: '',
  integer: 'N',
  number: 'NUMBER',
  duration: 'DURATION',
  list: 'A,B',
  map: 'K=V,K=V',
};

/** What `--help` prints: flags that do something first, those that are only accepted last. */
export function helpText(program: Program, table: OptionTable): string {
  const specs = Object.values(table);
  const effective = specs.filter(
    ({ noEffect, deprecated }) => noEffect === undefined && deprecated === undefined,
  );
  const deprecated = specs.filter((spec) => spec.deprecated !== undefined && spec.noEffect === undefined);
  const ignored = specs.filter(({ noEffect }) => noEffect !== undefined);
  const lines = [program.summary, '', `Usage: ${program.name} ${program.usage ?? '[flags]'}`];
  const groups = new Set(['Flags', ...effective.map(({ group = 'Flags' }) => group)]);
  for (const title of groups) {
    const flags = effective.filter(({ group = 'Flags' }) => group === title).map(flagLine);
    appendGroup(lines, `${title}:`, title === 'Flags' ? [...flags, HELP_LINE] : flags);
  }
  appendGroup(lines, 'Deprecated:', deprecated.map(flagLine));
  appendGroup(lines, 'Accepted without effect:', ignored.map(flagLine));
  return `${lines.join('\n')}\n`;
}

type Line = readonly [left: string, right: string];

const HELP_LINE: Line = ['  -h, --help', 'Print this text.'];

function appendGroup(lines: string[], title: string, flags: readonly Line[]): void {
  if (flags.length === 0) {
    return;
  }
  const width = Math.max(...flags.map(([left]) => left.length)) + 2;
  lines.push('', title, ...flags.map(([left, right]) => left.padEnd(width) + right));
}

function flagLine(spec: OptionSpec): Line {
  const letter = spec.shorthand === undefined ? '    ' : `-${spec.shorthand}, `;
  const word =
    spec.choices === undefined || spec.type === 'list' ? TYPE_WORDS[spec.type] : spec.choices.join('|');
  const left = `  ${letter}--${spec.name}${word === '' ? '' : ` ${word}`}`;
  const right = [spec.noEffect ?? spec.description];
  if (spec.deprecated !== undefined && spec.noEffect === undefined) {
    right.push(`Instead: ${spec.deprecated}.`);
  }
  const facts = [defaultFact(spec), spec.env === undefined ? '' : `env ${spec.env}`].filter(
    (fact) => fact !== '',
  );
  if (facts.length > 0) {
    right.push(`(${facts.join(', ')})`);
  }
  return [left, right.join(' ')];
}

function defaultFact(spec: OptionSpec): string {
  const text = defaultText(spec);
  return text === '' || spec.noEffect !== undefined ? '' : `default ${text}`;
}

/** The default as a user would type it; empty when there is none worth naming. */
export function defaultText(spec: OptionSpec): string {
  const value = spec.default;
  if (value === undefined || value === '' || value === false || spec.secret === true) {
    return '';
  }
  if (typeof value !== 'object') {
    return String(value);
  }
  const items = Array.isArray(value)
    ? (value as readonly string[])
    : Object.entries(value).map(([name, item]) => `${name}=${item}`);
  return items.join(',');
}
