import { ageSince } from './age.js';

/** What a cell may draw on beside its object. */
export interface CellContext {
  readonly nowMs: number;
}

export interface Column {
  readonly name: string;
  readonly description: string;
  /** Shown with `-o wide` only. */
  readonly isWide?: boolean;
  /** `name` marks the object's name; `integer` sorts as a number. */
  readonly kind?: 'name' | 'integer';
  cell(object: object, context: CellContext): string | number;
}

export const NAME: Column = {
  name: 'Name',
  description: 'Unique within a namespace.',
  kind: 'name',
  cell: (object) => metadataOf(object).name ?? '',
};

export const AGE: Column = {
  name: 'Age',
  description: 'Time since creation.',
  cell: (object, { nowMs }) => ageSince(metadataOf(object).creationTimestamp, nowMs),
};

export function metadataOf(object: object): {
  readonly name?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
} {
  return (object as { readonly metadata?: object }).metadata ?? {};
}
