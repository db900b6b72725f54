import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '@catamaran/platform';
import type { Report } from '../suite.js';
import { reportMarkdown, withBlock } from './markdown.js';

const ROOT = new URL('../../../', import.meta.url);
const PERFORMANCE = 'docs/performance.md';
const README = 'README.md';
/** Suites whose reports the README shows whole, too. */
const IN_README: ReadonlySet<string> = new Set(['serving', 'refresh-prometheus', 'refresh-metrics-server']);

/**
 * Puts reports into the pages that show them; what was not measured this time stays.
 * @returns what was written, one line each.
 * @throws OperatorError when a page lacks the place for a report.
 */
export function writePages(reports: ReadonlyMap<string, Report>, machine: string): string[] {
  const performance = [...reports].map(([name, report]) => [name, reportMarkdown(report, machine)] as const);
  const scaling = [...reports.values()].flatMap(({ scaling: lines }) =>
    lines === undefined ? [] : [['scaling', [...lines, '', `${machine}.`].join('\n')] as const],
  );
  const whole = performance.filter(([name]) => IN_README.has(name));
  return [...fill(PERFORMANCE, performance), ...fill(README, [...scaling, ...whole])];
}

function fill(page: string, blocks: readonly (readonly [name: string, body: string])[]): string[] {
  if (blocks.length === 0) return [];
  const path = fileURLToPath(new URL(page, ROOT));
  try {
    let text = readFileSync(path, 'utf8');
    for (const [name, body] of blocks) text = withBlock(text, name, body);
    writeFileSync(path, text);
  } catch (error) {
    throw new OperatorError(`${page}: ${(error as Error).message}`);
  }
  return [`wrote ${page}: ${blocks.map(([name]) => name).join(', ')}`];
}
