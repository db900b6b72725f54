import { bearerTokenProblem, type Clock, OperatorError, readTextFile } from '@catamaran/platform';
import { maskKnown } from '../connection/mask-known.js';

export interface CredentialOptions {
  /** For people, such as `the API key of Datadog`. */
  readonly what: string;
  readonly text?: string | undefined;
  /** Beats `text`. */
  readonly file?: string | undefined;
}

/** Files rotate long before what they hold expires; this is soon enough. */
const REREAD_MS = 30_000;

/** A token or key, given as text or in a file that others replace. */
export class Credential {
  readonly #options: CredentialOptions;
  readonly #clock: Pick<Clock, 'nowMs'>;
  #before: string | undefined;
  #known: { readonly text: string; readonly readMs: number } | undefined;

  constructor(options: CredentialOptions, clock: Pick<Clock, 'nowMs'>) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Whether reading again can give something else. */
  get rotates(): boolean {
    return (this.#options.file ?? '') !== '';
  }

  /**
   * @param fresh reads the file now.
   * @throws OperatorError naming the file when it holds nothing usable, or can't be read and never could.
   */
  async read(fresh: boolean): Promise<string> {
    const { file, text = '' } = this.#options;
    if (file === undefined || file === '') return text.trim();
    const nowMs = this.#clock.nowMs();
    const known = this.#known;
    if (known !== undefined && !fresh && nowMs - known.readMs < REREAD_MS) return known.text;
    const content = await readTextFile(file).catch((error: NodeJS.ErrnoException) => {
      // While the file is being replaced, what it held is good enough.
      if (known !== undefined) return known.text;
      throw this.#unusable(file, `can't be read (${error.code ?? error.message}): check path and mount`);
    });
    const problem = bearerTokenProblem(content.trim());
    if (problem !== undefined) {
      throw this.#unusable(file, `can't be used: ${problem}; write it alone into the file`);
    }
    this.#before = known?.text;
    this.#known = { text: content.trim(), readMs: nowMs };
    return this.#known.text;
  }

  /** A text of somebody else's without what is secret here. */
  mask(text: string): string {
    const secrets = [this.#options.text?.trim(), this.#known?.text, this.#before];
    return maskKnown(
      text,
      secrets.filter((secret) => secret !== undefined),
    );
  }

  #unusable(file: string, why: string): OperatorError {
    return new OperatorError(`${this.#options.what}, ${file}, ${why}`);
  }
}
