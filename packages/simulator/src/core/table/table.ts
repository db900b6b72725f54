import type { CellContext } from './columns.js';
import { columnsOf } from './resource-columns.js';

/** How much of each object goes with its row. */
export type RowObject = 'None' | 'Metadata' | 'Object';

export interface TableForm {
  readonly kind: string;
  readonly rowObject: RowObject;
  readonly context: CellContext;
}

/** Whether an Accept header prefers a `meta.k8s.io/v1` Table to plain JSON. */
export function wantsTable(accept: string): boolean {
  const [first = ''] = accept.split(',').filter((entry) => isTableV1(entry) || isPlainJson(entry));
  return isTableV1(first);
}

/** Of the query `includeObject`; Metadata unless it says otherwise. */
export function rowObjectOf(text: string | null): RowObject {
  return text === 'None' || text === 'Object' ? text : 'Metadata';
}

/** The objects as a `meta.k8s.io/v1` Table, the columns chosen by kind. */
export function tableOf(
  objects: readonly object[],
  metadata: Readonly<Record<string, unknown>>,
  form: TableForm,
): object {
  const columns = columnsOf(form.kind);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ name, description, kind, isWide }) => ({
      name,
      type: kind === 'integer' ? 'integer' : 'string',
      format: kind === 'name' ? 'name' : '',
      description,
      priority: isWide === true ? 1 : 0,
    })),
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, form.context)),
      ...rowObject(object, form.rowObject),
    })),
  };
}

function rowObject(object: object, wanted: RowObject): object {
  if (wanted === 'None') return {};
  if (wanted === 'Object') return { object };
  const { metadata } = object as { readonly metadata?: object };
  return { object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata } };
}

function isTableV1(entry: string): boolean {
  const parameters = entry.split(';').map((part) => part.trim());
  return ['application/json', 'as=Table', 'v=v1', 'g=meta.k8s.io'].every((part) => parameters.includes(part));
}

function isPlainJson(entry: string): boolean {
  return /^\s*(?:application\/json|\*\/\*)\s*(?:;q=[\d.]+\s*)?$/.test(entry);
}
