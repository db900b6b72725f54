import type { Logger } from '@catamaran/platform';
import { describeObject, sentence } from '../core/objects/read-object.js';
import type { FieldDamage } from '../core/objects/shape.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';

export type ObjectKind = 'node' | 'pod' | 'namespace';

/** Objects that have been named in the log; then all may be named again. */
const MAX_REMEMBERED = 10_000;

/** Says of each object once what about it can't be read; counts all of them. */
export class DamageReport {
  readonly #deps: { readonly log: Logger; readonly metrics: Pick<SchedulerMetrics, 'malformed'> };
  readonly #said = new Set<string>();

  constructor(deps: { readonly log: Logger; readonly metrics: Pick<SchedulerMetrics, 'malformed'> }) {
    this.#deps = deps;
  }

  /** The object is passed over. */
  skipped(kind: ObjectKind, raw: unknown, problem: string): void {
    this.#say(
      { kind, object: describeObject(raw), reason: problem },
      'an object can not be read and is left out',
    );
  }

  /** The object counts, without the fields that can't be read. */
  damaged(kind: ObjectKind, raw: unknown, damage: readonly FieldDamage[]): void {
    if (damage.length === 0) return;
    const reason = damage.slice(0, 5).map(sentence).join('; ');
    this.#say(
      { kind, object: describeObject(raw), reason },
      'fields of an object can not be read and count as missing',
    );
  }

  #say(
    fields: { readonly kind: ObjectKind; readonly object: string; readonly reason: string },
    message: string,
  ): void {
    this.#deps.metrics.malformed.increment({ kind: fields.kind });
    const key = `${fields.kind} ${fields.object} ${fields.reason}`;
    if (this.#said.has(key)) return;
    if (this.#said.size >= MAX_REMEMBERED) this.#said.clear();
    this.#said.add(key);
    this.#deps.log.warn(message, fields);
  }
}
