import { fieldText, label, partLabel } from './field-text.js';
import type { ExplainedNode } from './score-lines.js';

type Fields = Readonly<Record<string, unknown>>;

/** One line of a table: a node, or one of the things a plugin looked at on it, such as a signal or a resource. */
export interface InputRow {
  readonly node: string;
  /** Empty where the plugin looked at the node as a whole. */
  readonly part: string;
  /** What was found of the node as a whole and of the part, by label. */
  readonly ofNode: ReadonlyMap<string, string>;
  readonly ofPart: ReadonlyMap<string, string>;
}

/** Times that ages tell better, and lists. */
const LEFT_OUT = new Set(['metricsEndUnixSeconds', 'gaps']);

/** What a plugin's inputs say of a node; empty when it gave none. */
export function inputRows({ name: node, inputs }: ExplainedNode, plugin: string): readonly InputRow[] {
  const given = inputs?.[plugin];
  if (given === undefined) return [];
  const ofNode = textsOf(given);
  const parts = Object.entries(given).flatMap(([key, value]) => (isMap(value) ? partsOf(key, value) : []));
  if (parts.length === 0) return [{ node, part: '', ofNode, ofPart: new Map() }];
  return parts.map(([part, ofPart]) => ({ node, part, ofNode, ofPart }));
}

/** A map of maps holds a part each (signals by name); another map is a part itself. */
function partsOf(key: string, value: Fields): readonly (readonly [string, ReadonlyMap<string, string>])[] {
  const inner = Object.entries(value);
  if (inner.length > 0 && inner.every(([, each]) => isMap(each))) {
    return inner.flatMap(([name, each]) => (isMap(each) ? [[name, textsOf(each)] as const] : []));
  }
  const { name, unit } = partLabel(key);
  return [[name, textsOf(value, unit)]];
}

function textsOf(fields: Fields, unit?: ReturnType<typeof partLabel>['unit']): ReadonlyMap<string, string> {
  const shown = Object.keys(fields).filter(
    (key) => !LEFT_OUT.has(key) && !(key === 'value' && fields.value === fields.percent),
  );
  return new Map(
    shown.flatMap((key) => {
      const text = fieldText(key, fields, unit);
      return text === '' ? [] : [[label(key), text] as const];
    }),
  );
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
