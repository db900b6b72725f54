import { type InputRow, inputRows } from './input-rows.js';
import { type ExplainedNode, markedName } from './score-lines.js';
import { type Column, columnWidths, GAP, type Table, tableLines, wrapped } from './text-layout.js';

interface Drawing {
  /** Of the block; the plugin's name by default. */
  readonly title?: string;
  readonly chosen: string | null;
  readonly columns: number;
}

/** What is to be compared between nodes: in the table also where it is the same for all. */
const COMPARED = new Set(['value', 'percent', 'score', 'points']);
/** Facts that only some nodes bear: of those with a value, or of those without. */
const PARTIAL = new Set(['unit', 'better', 'if missing', 'age', 'basis', 'this pod']);

/**
 * What a plugin's scores or verdicts came from, whatever plugin it is: what holds for all nodes on lines of its own,
 * the rest in a table. Units follow from the names of the inputs.
 */
export function inputLines(plugin: string, nodes: readonly ExplainedNode[], drawing: Drawing): string[] {
  const rows = nodes.flatMap((node) => withPoints(inputRows(node, plugin), node.scores[plugin]));
  if (rows.length === 0) return [];
  const { title = plugin, chosen, columns } = drawing;
  const parts = [...new Set(rows.map(({ part }) => part))];
  const general = constants(rows.map(({ ofNode }) => ofNode));
  const byPart = new Map(
    parts.map((part) => [part, constants(rows.flatMap((row) => (row.part === part ? [row.ofPart] : [])))]),
  );
  const facts = [...byPart].flatMap(([part, each]) =>
    each.size === 0 ? [] : wrapped(`${part}: ${listed(each)}`, columns, '  '),
  );
  const table = tableOf(rows, { general, byPart }, chosen);
  // Points alone are in the table of all plugins.
  const tells = table.columns.some(({ title: each }) => !['node', '', 'points'].includes(each));
  return [
    ...wrapped(general.size === 0 ? title : `${title}: ${listed(general)}`, columns),
    ...facts,
    ...(tells ? fittingTables(table, columns) : []),
  ];
}

type Texts = ReadonlyMap<string, string>;

function withPoints(rows: readonly InputRow[], points: number | undefined): readonly InputRow[] {
  if (points === undefined) return rows;
  return rows.map((row) => ({ ...row, ofNode: new Map([...row.ofNode, ['points', String(points)]]) }));
}

function constants(rows: readonly Texts[]): Texts {
  const keys = new Set(rows.flatMap((row) => [...row.keys()]));
  const found = [...keys].flatMap((key) => {
    const texts = rows.flatMap((row) => row.get(key) ?? []);
    const isEverywhere = texts.length === rows.length || PARTIAL.has(key);
    const [text = ''] = texts;
    const isSame = isEverywhere && !COMPARED.has(key) && texts.every((each) => each === text);
    return isSame ? [[key, text] as const] : [];
  });
  return new Map(found);
}

interface Constants {
  readonly general: Texts;
  readonly byPart: ReadonlyMap<string, Texts>;
}

function tableOf(rows: readonly InputRow[], { general, byPart }: Constants, chosen: string | null): Table {
  const ofPart = ({ part, ofPart: texts }: InputRow): Texts =>
    new Map([...texts].filter(([key]) => byPart.get(part)?.has(key) !== true));
  // A part of which nothing is left to tell has no line, unless its node would have none.
  const kept = rows.filter(
    (row) => ofPart(row).size > 0 || !rows.some((other) => other.node === row.node && ofPart(other).size > 0),
  );
  const drawn = kept.map((row, at) => {
    const isFirst = kept[at - 1]?.node !== row.node;
    const ofNode = isFirst ? [...row.ofNode].filter(([key]) => !general.has(key)) : [];
    return { ...row, isFirst, cells: new Map([...ofPart(row), ...ofNode]) };
  });
  const keys = [...new Set(drawn.flatMap(({ cells }) => [...cells.keys()]))];
  const ordered = [...keys.filter((key) => key !== 'points'), ...keys.filter((key) => key === 'points')];
  const hasParts = rows.some(({ part }) => part !== '');
  const columns: readonly Column[] = [
    { title: 'node', align: 'left' },
    ...(hasParts ? [{ title: '', align: 'left' } as const] : []),
    ...ordered.map((title): Column => ({ title, align: isNumeric(drawn, title) ? 'right' : 'left' })),
  ];
  return {
    columns,
    rows: drawn.map(({ node, part, isFirst, cells }) => [
      isFirst ? markedName(node, chosen) : '',
      ...(hasParts ? [part] : []),
      ...ordered.map((key) => cells.get(key) ?? ''),
    ]),
  };
}

function isNumeric(rows: readonly { readonly cells: Texts }[], key: string): boolean {
  return rows.every(({ cells }) => /^$|^-?\d/.test(cells.get(key) ?? ''));
}

function listed(texts: Texts): string {
  return [...texts].map(([key, text]) => `${key} ${text}`).join(', ');
}

/** Columns that do not fit side by side, the names apart, go into further tables. */
function fittingTables(table: Table, width: number): string[] {
  const named = table.columns[1]?.title === '' ? 2 : 1;
  const widths = columnWidths(table);
  const room = width - 2 * GAP - (named === 2 ? (widths[1] ?? 0) + GAP : 0);
  const groups: number[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (let at = named; at < table.columns.length; at += 1) {
    const needed = (widths[at] ?? 0) + GAP;
    if (used + needed - GAP > room) {
      groups.push([]);
      used = 0;
    }
    groups.at(-1)?.push(at);
    used += needed;
  }
  const names = Array.from({ length: named }, (_, at) => at);
  return groups.flatMap((group) => tableLines(picked(table, [...names, ...group]), width));
}

function picked({ columns, rows }: Table, at: readonly number[]): Table {
  return {
    columns: at.flatMap((index) => columns[index] ?? []),
    rows: rows.map((row) => at.map((index) => row[index] ?? '')),
  };
}
