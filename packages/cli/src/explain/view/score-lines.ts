import type { Explanation } from '@catamaran/scheduler';
import { type Column, tableLines, wrapped } from './text-layout.js';

export type ExplainedNode = Explanation['nodes'][number];

const NODE: Column = { title: 'node', align: 'left' };

/** Points per node and plugin, the chosen node marked. Plugins that give all these nodes the same share a line. */
export function scoreLines(
  nodes: readonly ExplainedNode[],
  chosen: string | null,
  columns: number,
): string[] {
  const plugins = [...new Set(nodes.flatMap(({ scores }) => Object.keys(scores)))];
  const points = (plugin: string): readonly number[] => nodes.map(({ scores }) => scores[plugin] ?? 0);
  const differing = nodes.length < 2 ? plugins : plugins.filter((plugin) => new Set(points(plugin)).size > 1);
  const alike = plugins.filter((plugin) => !differing.includes(plugin));
  const table = {
    columns: [NODE, ...['total', ...differing].map((title) => ({ title, align: 'right' as const }))],
    rows: nodes.map(({ name, scores, total }) => [
      markedName(name, chosen),
      String(total),
      ...differing.map((plugin) => String(scores[plugin] ?? '')),
    ]),
  };
  const constants = alike.map((plugin) => `${plugin} ${points(plugin)[0] ?? 0}`).join(', ');
  return [
    'Points (score × weight)',
    ...tableLines(table, columns),
    ...(constants === '' ? [] : wrapped(`The same for each: ${constants}`, columns)),
  ];
}

export function markedName(name: string, chosen: string | null): string {
  return `${name === chosen ? '*' : ' '} ${name}`;
}
