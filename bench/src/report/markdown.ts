import type { Report } from '../suite.js';
import { figureText, ratioText } from './figures.js';

/** A report as Markdown: machine, table, facts. */
export function reportMarkdown({ comparisons, facts }: Report, machine: string): string {
  const rows = comparisons.map((comparison) => {
    const { what, unit, ours, rival, rivalName } = comparison;
    const cells = [
      what,
      figureText(ours, unit),
      `${rivalName} ${figureText(rival, unit)}`,
      ratioText(comparison),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const table = ['| | ours | rival | times as fast |', '|---|---|---|---|', ...rows].join('\n');
  const list = facts.map((fact) => `- ${fact}`).join('\n');
  return [`${machine}.`, table, ...(list === '' ? [] : [list])].join('\n\n');
}

/**
 * Text with what is between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->` replaced.
 * @throws Error when the text has no such place.
 */
export function withBlock(text: string, name: string, body: string): string {
  const [open, close] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const from = text.indexOf(open);
  const to = text.indexOf(close);
  if (from < 0 || to < from) throw new Error(`there is no ${open} … ${close}`);
  return `${text.slice(0, from + open.length)}\n\n${body}\n\n${text.slice(to)}`;
}
