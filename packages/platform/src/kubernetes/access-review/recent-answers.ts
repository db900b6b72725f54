import { createHash } from 'node:crypto';
import type { Clock } from '../../clock/clock.js';

export interface RecentAnswersOptions<T> {
  /** The oldest are forgotten beyond this number. */
  readonly maxKept: number;
  /** Further questions under way at once are refused. */
  readonly maxAsked: number;
  /** The same for the questions of one asker, so that nobody keeps the others from asking. */
  readonly maxAskedByOne: number;
  /** How long an answer counts; 0 is not at all. */
  readonly keepMs: (answer: T) => number;
}

export interface Question<T> {
  /** Never kept itself, only its hash: it may be long, or a secret. */
  readonly text: string;
  /** Whose question it is, such as the address it comes from. */
  readonly asker: string;
  readonly ask: () => Promise<T>;
}

/** More questions are under way than may be. */
export class TooManyQuestionsError extends Error {
  override readonly name = 'TooManyQuestionsError';
}

interface Asked<T> {
  readonly asker: string;
  readonly answer: Promise<T>;
}

/** Answers by question, each kept for a short while; the same question twice at once is asked once. Bounded both ways. */
export class RecentAnswers<T> {
  readonly #options: RecentAnswersOptions<T>;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #kept = new Map<string, { readonly answer: T; readonly untilMs: number }>();
  readonly #asked = new Map<string, Asked<T>>();

  constructor(options: RecentAnswersOptions<T>, clock: Pick<Clock, 'nowMs'>) {
    this.#options = options;
    this.#clock = clock;
  }

  /** How many answers are held, those that no longer count included. */
  get size(): number {
    return this.#kept.size;
  }

  /** Failures are not kept. @throws what `ask` throws, or TooManyQuestionsError. */
  async get({ text, asker, ask }: Question<T>): Promise<T> {
    const key = createHash('sha256').update(text).digest('base64');
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#clock.nowMs() < kept.untilMs) return kept.answer;
    const known = this.#asked.get(key);
    if (known !== undefined) return await known.answer;
    this.#requireRoom(asker);
    const answer = this.#ask(key, ask);
    this.#asked.set(key, { asker, answer });
    return await answer;
  }

  #requireRoom(asker: string): void {
    const { maxAsked, maxAskedByOne } = this.#options;
    const byOne = [...this.#asked.values()].filter((asked) => asked.asker === asker).length;
    if (this.#asked.size >= maxAsked || byOne >= maxAskedByOne) {
      throw new TooManyQuestionsError(`${this.#asked.size} questions are under way, ${byOne} of this asker`);
    }
  }

  async #ask(key: string, ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.#keep(key, answer);
      return answer;
    } finally {
      this.#asked.delete(key);
    }
  }

  /** Each new answer pays for the removal of those before it that no longer count. */
  #keep(key: string, answer: T): void {
    const nowMs = this.#clock.nowMs();
    const keepMs = this.#options.keepMs(answer);
    this.#kept.delete(key);
    for (const [other, { untilMs }] of this.#kept) {
      if (untilMs <= nowMs) this.#kept.delete(other);
    }
    if (keepMs <= 0) return;
    this.#kept.set(key, { answer, untilMs: nowMs + keepMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#options.maxKept) return;
      this.#kept.delete(oldest);
    }
  }
}
