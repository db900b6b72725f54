import { percentShare } from '../numerics/percent-share.js';
import type { SignalReading } from '../state/signal-store.js';
import type { SignalSpec } from './signal-spec.js';

/** Why a node has no value, beside `no-sample`. */
export type SignalAbsence = 'non-finite' | 'negative' | 'no-capacity';

export interface NodeSample {
  readonly node: string;
  readonly value: number;
}

export interface SignalAnswers {
  readonly samples: readonly NodeSample[];
  /** Of the capacity's own query, where there is one. */
  readonly capacities?: readonly NodeSample[] | undefined;
  readonly readMs: number;
}

/** What a signal's answers say about each node. Unknown is never 0: a sample that can't be used leaves a reason. */
export function signalReading(key: string, spec: SignalSpec, answers: SignalAnswers): SignalReading {
  const values = new Map<string, number>();
  const absences = new Map<string, SignalAbsence>();
  const capacities = answers.capacities === undefined ? undefined : largestOf(answers.capacities);
  for (const { node, value } of answers.samples) {
    const capacity = typeof spec.capacity === 'number' ? spec.capacity : capacities?.get(node);
    const read = readValue(value, spec, capacity);
    if (typeof read !== 'number') absences.set(node, read);
    else values.set(node, counted(values.get(node), read, spec.counts));
  }
  for (const node of values.keys()) absences.delete(node);
  return { key, readMs: answers.readMs, values, absences };
}

function readValue(
  value: number,
  { unit, capacity: wanted }: SignalSpec,
  capacity: number | undefined,
): number | SignalAbsence {
  if (!Number.isFinite(value)) return 'non-finite';
  if (value < 0) return 'negative';
  if (unit === 'percent' || (unit === 'amount' && wanted === undefined)) return value;
  const whole = unit === 'ratio' ? 1 : capacity;
  if (whole === undefined || !(whole > 0)) return 'no-capacity';
  const percent = percentShare(value, whole);
  return Number.isFinite(percent) ? percent : 'non-finite';
}

function counted(before: number | undefined, value: number, counts: SignalSpec['counts']): number {
  if (before === undefined) return value;
  return counts === 'highest' ? Math.max(before, value) : Math.min(before, value);
}

/** Several capacities of one node: the largest, as two exporters may see parts of it. */
function largestOf(samples: readonly NodeSample[]): ReadonlyMap<string, number> {
  const largest = new Map<string, number>();
  for (const { node, value } of samples) {
    if (Number.isFinite(value)) largest.set(node, Math.max(value, largest.get(node) ?? value));
  }
  return largest;
}
