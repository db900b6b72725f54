import type { Absence, ProviderFetch } from '../core/figures/figures.js';
import { failureKey, subjectOf } from './state-key.js';
import type { StateLog } from './state-log.js';

const MAX_SUBJECTS = 10;

/** Tells the log what a refresh could not give: a line for each reason, only when it changes. */
export class RefreshReport {
  readonly #states: StateLog;
  #reasons = new Set<string>();

  constructor(states: StateLog) {
    this.#states = states;
  }

  fetched(fetch: ProviderFetch): void {
    this.#states.report(
      'provider answers',
      fetch.failures.length === 0
        ? undefined
        : {
            level: 'warn',
            message: 'part of the refresh failed',
            fields: { failures: fetch.failures.slice(0, MAX_SUBJECTS) },
            sameAs: keyOf(fetch.failures.map(failureKey)),
          },
    );
    this.#warnings(fetch.warnings ?? []);
    this.#states.report(
      'provider notes',
      (fetch.notes ?? []).length === 0
        ? undefined
        : {
            level: 'info',
            message: 'provider notes',
            fields: { notes: fetch.notes },
            sameAs: keyOf((fetch.notes ?? []).map(subjectOf)),
          },
    );
    this.#absences(fetch.absences);
  }

  #warnings(warnings: readonly string[]): void {
    this.#states.report(
      'provider warnings',
      warnings.length === 0
        ? undefined
        : {
            level: 'warn',
            message: 'the source warns',
            fields: { warnings },
            sameAs: keyOf(warnings.map((text) => subjectOf(text.replace(/^warning: /, '')))),
          },
    );
  }

  #absences(absences: readonly Absence[]): void {
    const byReason = new Map<string, Absence[]>();
    for (const absence of absences) {
      const list = byReason.get(absence.reason) ?? [];
      byReason.set(absence.reason, list);
      list.push(absence);
    }
    for (const reason of new Set([...this.#reasons, ...byReason.keys()])) {
      const list = byReason.get(reason);
      this.#states.report(`figures: ${reason}`, list === undefined ? undefined : stateOf(reason, list));
    }
    this.#reasons = new Set(byReason.keys());
  }
}

function keyOf(parts: readonly string[]): string {
  return [...new Set(parts)].sort().join('\n');
}

function stateOf(reason: string, list: readonly Absence[]) {
  const subjects = [...new Set(list.map(({ subject }) => subject))].sort();
  return {
    level: 'warn',
    message: 'figures are absent',
    fields: {
      reason,
      count: subjects.length,
      subjects: subjects.slice(0, MAX_SUBJECTS),
      remedy: 'details at /debug/nodes',
    },
  } as const;
}
