import type { ExplainedNode } from './score-lines.js';
import { wrapped } from './text-layout.js';

/** Refused nodes under the filter that refused them and its reason, the commonest first. */
export function refusedLines(
  nodes: readonly ExplainedNode[],
  { nodesShown, columns }: { readonly nodesShown: number; readonly columns: number },
): string[] {
  const groups = new Map<string, string[]>();
  for (const { name, rejectedBy = '', reason = '' } of nodes) {
    const why = [rejectedBy, reason].filter((part) => part !== '').join(': ');
    const names = groups.get(why);
    if (names === undefined) groups.set(why, [name]);
    else names.push(name);
  }
  const commonest = [...groups].toSorted(([, a], [, b]) => b.length - a.length);
  return [
    `Refused: ${counted(nodes.length)}`,
    ...commonest.flatMap(([why, names]) => [
      ...wrapped(`${why} (${counted(names.length)})`, columns, '  '),
      ...wrapped(namesText(names, nodesShown), columns, '    '),
    ]),
  ];
}

function namesText(names: readonly string[], nodesShown: number): string {
  const rest = names.length - nodesShown;
  const shown = names.slice(0, nodesShown).join(', ');
  return rest <= 0 ? shown : `${shown} and ${rest} more`;
}

function counted(nodes: number): string {
  return nodes === 1 ? '1 node' : `${nodes} nodes`;
}
