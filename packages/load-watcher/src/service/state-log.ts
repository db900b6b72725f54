import type { LogFields, Logger } from '@catamaran/platform';

type Level = 'info' | 'warn' | 'error';

export interface State {
  readonly level: Level;
  readonly message: string;
  readonly fields?: LogFields;
  /** States with the same text here are one that lasts; left out, message and fields must be the same. */
  readonly sameAs?: string;
}

/** Writes a state to the log when it begins, changes or ends; never again while it lasts. */
export class StateLog {
  readonly #log: Logger;
  readonly #states = new Map<string, string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * @param key what the state is about.
   * @param state undefined when all is well.
   */
  report(key: string, state: State | undefined): void {
    const text =
      state === undefined ? undefined : (state.sameAs ?? JSON.stringify([state.message, state.fields]));
    const before = this.#states.get(key);
    if (text === before) return;
    if (state === undefined || text === undefined) {
      this.#states.delete(key);
      this.#log.info('recovered', { what: key });
      return;
    }
    this.#states.set(key, text);
    this.#log[state.level](state.message, { what: key, ...state.fields });
  }
}
