import { roughDuration } from '@catamaran/platform';
import type { Explanation } from '@catamaran/scheduler';

type Gap = NonNullable<Explanation['gaps']>[number];

const REASONS: Readonly<Record<string, string>> = {
  'never-read': 'no figures have come',
  'too-old': 'figures too old',
  'from-the-future': 'figures from the future',
  'no-figure': 'no figure of these nodes',
};

/** What filters let pass unchecked, and why; figures with the same reason share a line. */
export function gapLines(gaps: readonly Gap[]): string[] {
  const figures = new Map<string, string[]>();
  for (const gap of gaps) {
    const nodes = gap.nodes === 1 ? '1 node' : `${gap.nodes} nodes`;
    const text = `not applied to ${nodes}: ${REASONS[gap.reason] ?? gap.reason}${times(gap)}`;
    const line = `${gap.plugin}: ${text}`;
    figures.set(line, [...(figures.get(line) ?? []), gap.figure]);
  }
  return [...figures].map(([line, names]) => `${line}; concerns ${names.join(', ')}`);
}

function times({ ageSeconds, maxAgeSeconds }: Gap): string {
  if (ageSeconds === undefined) return '';
  const age =
    ageSeconds < 0 ? `${roughDuration(-ageSeconds * 1000)} ahead` : roughDuration(ageSeconds * 1000);
  return maxAgeSeconds === undefined
    ? ` (${age})`
    : ` (${age}, at most ${roughDuration(maxAgeSeconds * 1000)})`;
}
