import { readTextFile } from '@catamaran/platform';
import { TraceError } from './trace-error.js';

/** A data row, with what is needed to point at one of its cells. */
export interface CsvRow {
  readonly path: string;
  /** Counted from 1, the header included. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Rows of a comma-separated file without quoting, which is all that the public traces use.
 * @throws TraceError when the file can't be read, is empty or uses quotes.
 */
export async function readCsvRows(path: string): Promise<CsvRow[]> {
  const text = await readText(path);
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((content, index) => ({ path, line: index + 1, content }))
    .filter(({ content }) => content.trim() !== '');
  if (rows.length === 0) throw new TraceError([`${path}: the file is empty`]);
  const quoted = rows.find(({ content }) => content.includes('"'));
  if (quoted !== undefined) {
    throw new TraceError([
      `${path} line ${quoted.line}: quoted cells are not supported; write the cells without quotes`,
    ]);
  }
  return rows.map(({ line, content }) => ({
    path,
    line,
    cells: content.split(',').map((cell) => cell.trim()),
  }));
}

async function readText(path: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'is a folder, not a file' : message;
    throw new TraceError([
      `${path}: ${why}; --traces takes the folder that holds openb-nodes.csv, openb-pods.csv, vm-cpu-percent.csv and vm-memory-percent.csv`,
    ]);
  }
}

/** Reads cells by column name and collects what is wrong with them, so that all problems come at once. */
export class CsvTable {
  readonly problems: string[] = [];
  readonly rows: readonly CsvRow[];
  readonly #columnOf: ReadonlyMap<string, number>;

  /** @throws TraceError when a column is missing from the header. */
  constructor(rows: readonly CsvRow[], columns: readonly string[]) {
    const [header, ...data] = rows;
    const names = header?.cells ?? [];
    const missing = columns.filter((column) => !names.includes(column));
    if (header === undefined || missing.length > 0) {
      throw new TraceError([
        `${header?.path ?? ''} line 1: the header lacks ${missing.join(', ')}; it must name ${columns.join(', ')}`,
      ]);
    }
    if (data.length === 0) throw new TraceError([`${header.path}: there is a header but no row`]);
    this.rows = data;
    this.#columnOf = new Map(names.map((name, index) => [name, index]));
  }

  text(row: CsvRow, column: string): string {
    const value = row.cells[this.#columnOf.get(column) ?? -1] ?? '';
    if (value === '') this.#problem(row, column, 'is empty; give a value or remove the row');
    return value;
  }

  /** A whole number, at least `least`. */
  count(row: CsvRow, column: string, least = 0): number {
    const text = this.text(row, column);
    const value = Number(text);
    if (text === '') return least;
    if (Number.isSafeInteger(value) && value >= least && /^\d+$/.test(text)) return value;
    this.#problem(row, column, `is ${JSON.stringify(text)}; expected a whole number of at least ${least}`);
    return least;
  }

  #problem(row: CsvRow, column: string, what: string): void {
    this.problems.push(`${row.path} line ${row.line}: ${column} ${what}`);
  }
}
