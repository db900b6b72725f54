import type { Clock } from '../../clock/clock.js';

export interface RecentAnswersOptions<T> {
  /** The oldest are forgotten beyond this number. */
  readonly maxKept: number;
  /** Further questions under way at once are refused. */
  readonly maxAsked: number;
  /** How long an answer counts; 0 is not at all. */
  readonly keepMs: (answer: T) => number;
}

/** More questions are under way than may be. */
export class TooManyQuestionsError extends Error {
  override readonly name = 'TooManyQuestionsError';
}

/** Answers by question, each kept for a short while; the same question twice at once is asked once. Bounded both ways. */
export class RecentAnswers<T> {
  readonly #options: RecentAnswersOptions<T>;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #kept = new Map<string, { readonly answer: T; readonly untilMs: number }>();
  readonly #asked = new Map<string, Promise<T>>();

  constructor(options: RecentAnswersOptions<T>, clock: Pick<Clock, 'nowMs'>) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Failures are not kept. @throws what `ask` throws, or TooManyQuestionsError. */
  async get(question: string, ask: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(question);
    if (kept !== undefined && this.#clock.nowMs() < kept.untilMs) return kept.answer;
    const known = this.#asked.get(question);
    if (known !== undefined) return await known;
    const { maxAsked } = this.#options;
    if (this.#asked.size >= maxAsked) {
      throw new TooManyQuestionsError(`${maxAsked} questions are under way already`);
    }
    const asked = this.#ask(question, ask);
    this.#asked.set(question, asked);
    return await asked;
  }

  async #ask(question: string, ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.#keep(question, answer);
      return answer;
    } finally {
      this.#asked.delete(question);
    }
  }

  #keep(question: string, answer: T): void {
    const keepMs = this.#options.keepMs(answer);
    this.#kept.delete(question);
    if (keepMs <= 0) return;
    this.#kept.set(question, { answer, untilMs: this.#clock.nowMs() + keepMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#options.maxKept) return;
      this.#kept.delete(oldest);
    }
  }
}
