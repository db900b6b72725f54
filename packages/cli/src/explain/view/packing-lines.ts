import { roughDuration } from '@catamaran/platform';
import { type ExplainedNode, markedName } from './score-lines.js';
import { type Column, tableLines, wrapped } from './text-layout.js';

type Inputs = Readonly<Record<string, unknown>>;

export const PACKING = 'TargetLoadPacking';

const COLUMNS: readonly Column[] = [
  { title: 'node', align: 'left' },
  { title: 'measured', align: 'right' },
  { title: 'not yet measured', align: 'right' },
  { title: 'predicted', align: 'right' },
  { title: 'branch', align: 'left' },
];

/** What TargetLoadPacking's scores came from; nothing when it gave none. CPU in percent of each node's capacity. */
export function packingLines(
  nodes: readonly ExplainedNode[],
  chosen: string | null,
  columns: number,
): string[] {
  const explained = nodes.flatMap(({ name, inputs }) => {
    const input = inputs?.[PACKING];
    return input === undefined ? [] : [{ name, input }];
  });
  if (explained.length === 0) return [];
  const rows = explained.map(({ name, input }) => [
    markedName(name, chosen),
    percent(input.measuredPercent) ?? 'no figure',
    addedText(input),
    percent(input.expectedPercent) ?? 'unknown',
    shown(input.branch),
  ]);
  return [
    ...wrapped(headline(explained.map(({ input }) => input)), columns),
    ...tableLines({ columns: COLUMNS, rows }, columns),
  ];
}

/** What is the same for all nodes. */
function headline(inputs: readonly Inputs[]): string {
  const first = (name: string): unknown => inputs.find((input) => input[name] !== undefined)?.[name];
  const from = first('podCpuFrom');
  const facts: readonly (readonly [label: string, value: unknown, unit: string])[] = [
    ['target', first('targetPercent'), ' %'],
    ['sample age', age(first('metricsAgeSeconds')), ''],
    ['this pod', first('podCpuMilli'), `m CPU${from === undefined ? '' : ` by ${shown(from)}`}`],
    ['nodes without figures', first('missingMetrics'), ''],
  ];
  const known = facts.filter(([, value]) => value !== undefined);
  return `${PACKING}: ${known.map(([label, value, unit]) => `${label} ${shown(value)}${unit}`).join(', ')}`;
}

/** What counts beside the measurement: pods it does not show, or all requests where there is no measurement. */
function addedText({ unmeasuredPods: pods, unmeasuredCpuMilli, requestedCpuMilli }: Inputs): string {
  if (requestedCpuMilli !== undefined) return `${shown(requestedCpuMilli)}m requested`;
  if (pods === undefined) return '';
  if (pods === 0) return 'none';
  return `${shown(pods)} ${pods === 1 ? 'pod' : 'pods'}, ${shown(unmeasuredCpuMilli)}m`;
}

function age(seconds: unknown): string | undefined {
  return typeof seconds === 'number' ? roughDuration(seconds * 1000) : undefined;
}

function percent(value: unknown): string | undefined {
  return typeof value === 'number' ? `${value.toFixed(1)} %` : undefined;
}

/** A number or a word; anything else is not shown. */
function shown(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}
