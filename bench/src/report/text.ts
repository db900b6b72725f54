import type { Report } from '../suite.js';
import { figureText, ratioText } from './figures.js';

/** A report for the terminal: each comparison with its ratio, then the facts. */
export function reportLines({ comparisons, facts }: Report): string[] {
  const width = Math.max(0, ...comparisons.map(({ what }) => what.length)) + 2;
  return [
    ...comparisons.map((comparison) => {
      const { what, unit, ours, rival, rivalName } = comparison;
      const pair = `${figureText(ours, unit)}; ${rivalName} ${figureText(rival, unit)}`;
      return `  ${what.padEnd(width)}${pair}; ${ratioText(comparison)} as fast`;
    }),
    ...facts.map((fact) => `  ${fact}`),
  ];
}
