import type { LogFields, Logger } from '@catamaran/platform';

type Level = 'info' | 'warn' | 'error';

/** Writes a state to the log when it begins, changes or ends; never again while it lasts. */
export class StateLog {
  readonly #log: Logger;
  readonly #states = new Map<string, string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * @param key what the state is about.
   * @param state its text, or undefined when all is well.
   */
  report(
    key: string,
    state: { readonly level: Level; readonly message: string; readonly fields?: LogFields } | undefined,
  ): void {
    const text = state === undefined ? undefined : JSON.stringify([state.message, state.fields]);
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
