export interface Column {
  /** Put over several lines where it is long, broken before capitals and at spaces. */
  readonly title: string;
  readonly align: 'left' | 'right';
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** Spaces between columns. */
export const GAP = 2;
const TITLE_WIDTH = 10;

/**
 * A table in lines of at most `width` characters. Where that is too narrow, the first cell of each row gets a line of
 * its own, unless it is empty; nothing is cut, so many wide columns may still be longer.
 */
export function tableLines({ columns, rows }: Table, width: number): string[] {
  const titles = columns.map(titleLines);
  const widths = columnWidths({ columns, rows });
  const height = Math.max(...titles.map(({ length }) => length));
  const head = Array.from({ length: height }, (_, line) =>
    titles.map((lines) => lines[line - height + lines.length] ?? ''),
  );
  const row = (cells: readonly string[], from: number): string =>
    cells
      .slice(from)
      .map((cell, at) => aligned(cell, columns[at + from], widths[at + from] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd();
  const total = widths.reduce((sum, each) => sum + each + GAP, -GAP);
  if (total <= width) return [...head, ...rows].map((cells) => row(cells, 0));
  const indent = ' '.repeat(2 * GAP);
  return [
    ...head.map((cells) => `${indent}${row(cells, 1)}`),
    ...rows.flatMap((cells) => [...(cells[0] === '' ? [] : [cells[0] ?? '']), `${indent}${row(cells, 1)}`]),
  ];
}

/** Characters that each column takes. */
export function columnWidths({ columns, rows }: Table): readonly number[] {
  return columns.map((column, at) =>
    Math.max(...titleLines(column).map(({ length }) => length), ...rows.map((row) => row[at]?.length ?? 0)),
  );
}

function titleLines({ title }: Column): readonly string[] {
  return packed(title.split(/(?<=[a-z])(?=[A-Z])|(?<= )/), TITLE_WIDTH);
}

/** Text in lines of at most `width` characters, broken at spaces; every line begins with the indent. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  return packed(text.split(/(?<= )/), width - indent.length).map((line) => `${indent}${line}`);
}

function aligned(cell: string, column: Column | undefined, width: number): string {
  return column?.align === 'right' ? cell.padStart(width) : cell.padEnd(width);
}

/** Joins pieces to lines of at most `width` characters; a longer piece has a line of its own. */
function packed(pieces: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    if (line !== '' && (line + piece).trimEnd().length > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
}
