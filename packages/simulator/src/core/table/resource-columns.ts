import { ageSince } from './age.js';
import { AGE, type Column, NAME } from './columns.js';
import { NODE_COLUMNS } from './node-columns.js';
import { textAt } from './object-reader.js';
import { POD_COLUMNS } from './pod-columns.js';

const field = (name: string, ...path: readonly string[]): Column => ({
  name,
  description: `${path.join('.')} of the object.`,
  cell: (object) => textAt(object, ...path),
});

const PHASE: Column = {
  name: 'Status',
  description: 'Whether it is there to stay.',
  cell: (namespace) => textAt(namespace, 'status', 'phase') || 'Active',
};

const EVENT_COLUMNS: readonly Column[] = [
  {
    name: 'Last Seen',
    description: 'Time since it happened last.',
    cell: (event, { nowMs }) =>
      ageSince(textAt(event, 'series', 'lastObservedTime') || textAt(event, 'eventTime'), nowMs),
  },
  field('Type', 'type'),
  field('Reason', 'reason'),
  {
    name: 'Object',
    description: 'What it is about.',
    cell: (event) => {
      const about = (...path: readonly string[]): string =>
        textAt(event, 'regarding', ...path) || textAt(event, 'involvedObject', ...path);
      return `${about('kind').toLowerCase()}/${about('name')}`;
    },
  },
  {
    name: 'Message',
    description: 'What happened.',
    cell: (event) => textAt(event, 'note') || textAt(event, 'message'),
  },
  { ...NAME, isWide: true },
];

/** What the table of a kind shows; name and age where nothing more is known. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  Node: NODE_COLUMNS,
  Pod: POD_COLUMNS,
  Namespace: [NAME, PHASE, AGE],
  Lease: [NAME, field('Holder', 'spec', 'holderIdentity'), AGE],
  Event: EVENT_COLUMNS,
};

export function columnsOf(kind: string): readonly Column[] {
  return COLUMNS[kind] ?? [NAME, AGE];
}
