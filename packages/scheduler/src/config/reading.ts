import { nearestName } from '@catamaran/platform';
import { areRelated, fieldPath } from '../core/config/value-path.js';
import { type MapNode, plainValue, type SourceNode, type SourceProblem } from './source-node.js';

/** Collects everything that is wrong, so that a user sees all of it at once. */
export class Report {
  readonly problems: SourceProblem[] = [];
  readonly warnings: SourceProblem[] = [];
  /** Paths that misspelt fields were most likely meant for. */
  readonly #meant: string[] = [];

  problem(at: Pick<SourceNode, 'path' | 'line'>, text: string): void {
    this.problems.push({ path: at.path, line: at.line, text });
  }

  /** A problem with a field that is not given; said only where nothing was said of it, of its map or of its parts. */
  missing(at: Pick<SourceNode, 'path' | 'line'>, field: string, text: string): void {
    if (!this.isReported(fieldPath(at.path, field))) this.problem(at, text);
  }

  /** Whether there is a problem with this value, with what holds it or with a part of it, be it a misspelt name. */
  isReported(path: string): boolean {
    const places = [...this.problems.map((problem) => problem.path), ...this.#meant];
    return places.some((place) => areRelated(place, path));
  }

  unknownField(at: MapNode, name: string, known: readonly string[]): void {
    const nearest = nearestName(name, known);
    if (nearest !== undefined) this.#meant.push(fieldPath(at.path, nearest));
    const remedy = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean "${nearest}"?`;
    this.problem(at.entries.get(name) ?? at, `unknown field "${name}": ${remedy}`);
  }

  warn(at: Pick<SourceNode, 'path' | 'line'>, text: string): void {
    this.warnings.push({ path: at.path, line: at.line, text });
  }
}

/** Reads one value. Undefined: absent (null counts as absent, as in Go), or wrong and reported. */
export type Reader<T> = (node: SourceNode, report: Report) => T | undefined;

export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
}

export function readBoolean(node: SourceNode, report: Report): boolean | undefined {
  if (node.kind === 'scalar' && (typeof node.value === 'boolean' || node.value === null)) {
    return node.value ?? undefined;
  }
  return wrongType(node, report, { expected: 'true or false', remedy: booleanRemedy(node) });
}

export function readString(node: SourceNode, report: Report): string | undefined {
  if (node.kind === 'scalar' && (typeof node.value === 'string' || node.value === null)) {
    return node.value ?? undefined;
  }
  return wrongType(node, report, {
    expected: 'a string',
    remedy: node.kind === 'scalar' ? ': quote it' : '',
  });
}

export function integerReader(range: NumberRange = {}): Reader<number> {
  return (node, report) => {
    const value = numberReader(range)(node, report);
    if (value !== undefined && !Number.isSafeInteger(value)) {
      report.problem(node, `expected a whole number, got ${value}`);
      return undefined;
    }
    return value;
  };
}

export function numberReader({ min, max }: NumberRange = {}): Reader<number> {
  return (node, report) => {
    if (node.kind !== 'scalar' || (typeof node.value !== 'number' && node.value !== null)) {
      return wrongType(node, report, { expected: 'a number', remedy: unquoted(node, DECIMAL) });
    }
    const value = node.value ?? undefined;
    if (value !== undefined && !Number.isFinite(value)) {
      report.problem(node, `expected a finite number, got ${value}`);
      return undefined;
    }
    if (value !== undefined && ((min !== undefined && value < min) || (max !== undefined && value > max))) {
      report.problem(node, `${value} is out of range: expected ${rangeText({ min, max })}`);
      return undefined;
    }
    return value;
  };
}

const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** Only what is in quotes is still a text though it looks like another kind of value. */
function unquoted(node: SourceNode, looks: RegExp): string {
  const isQuoted = node.kind === 'scalar' && typeof node.value === 'string' && looks.test(node.value);
  return isQuoted ? ': remove the quotes' : '';
}

function booleanRemedy(node: SourceNode): string {
  const text = node.kind === 'scalar' ? String(node.value).toLowerCase() : '';
  if (['yes', 'on', 'y', '1'].includes(text)) return ': write true';
  if (['no', 'off', 'n', '0'].includes(text)) return ': write false';
  return unquoted(node, /^(?:true|false)$/i);
}

function rangeText({
  min,
  max,
}: {
  readonly min: number | undefined;
  readonly max: number | undefined;
}): string {
  if (min !== undefined && max !== undefined) {
    return `${min} to ${max}`;
  }
  return max === undefined ? `${min} or more` : `${max} or less`;
}

export function choiceReader<T extends string>(choices: readonly T[]): Reader<T> {
  return (node, report) => {
    const value = readString(node, report);
    const found = choices.find((choice) => choice === value);
    if (value !== undefined && found === undefined) {
      report.problem(node, `"${value}" is not one of ${choices.join(', ')}`);
    }
    return found;
  };
}

/** Items that are wrong are reported and left out. */
export function listReader<T>(item: Reader<T>): Reader<readonly T[]> {
  return (node, report) => {
    if (isNull(node)) {
      return undefined;
    }
    if (node.kind !== 'list') {
      report.problem(node, `expected a list, got ${kindOf(node)}: begin each entry with "- "`);
      return undefined;
    }
    return node.items.map((entry) => item(entry, report)).filter((value) => value !== undefined);
  };
}

export type Shape = Readonly<Record<string, Reader<unknown>>>;

export type Fields<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Reader<infer T> ? T | undefined : never;
};

/** A map with the given fields and no others; names are case-sensitive, as in kube-scheduler. */
export function objectReader<S extends Shape>(shape: S): Reader<Fields<S>> {
  return (node, report) => {
    if (isNull(node)) {
      return undefined;
    }
    if (node.kind !== 'map') {
      return wrongType(node, report, { expected: 'a map' });
    }
    for (const name of node.entries.keys()) {
      if (!Object.hasOwn(shape, name)) report.unknownField(node, name, Object.keys(shape));
    }
    const read = Object.entries(shape).map(([name, reader]) => {
      const entry = node.entries.get(name);
      return [name, entry === undefined ? undefined : reader(entry, report)] as const;
    });
    return Object.fromEntries(read) as Fields<S>;
  };
}

/** Accepts anything and hands on the plain value; for fields that are checked elsewhere. */
export function readPlain(node: SourceNode): unknown {
  return plainValue(node);
}

export function isNull(node: SourceNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

/** The value, as messages show it; never a whole map or list. */
function kindOf(node: SourceNode): string {
  if (node.kind !== 'scalar') {
    return node.kind === 'map' ? 'a map' : 'a list';
  }
  return typeof node.value === 'string' ? `the string "${node.value}"` : String(node.value);
}

interface Expectation {
  readonly expected: string;
  /** Begins with a colon. */
  readonly remedy?: string;
}

function wrongType(node: SourceNode, report: Report, { expected, remedy = '' }: Expectation): undefined {
  report.problem(node, `expected ${expected}, got ${kindOf(node)}${remedy}`);
  return undefined;
}
