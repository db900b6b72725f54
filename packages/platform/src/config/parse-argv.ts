import { didYouMean } from '@catamaran/model';
import type { OptionSpec, OptionTable } from './option-spec.js';

/** What the command line says, still as text. */
export interface ParsedArgv {
  /** In the order given; a key may come more than once. `spelling` is the flag as it was written. */
  readonly flags: readonly { readonly key: string; readonly text: string; readonly spelling: string }[];
  readonly positionals: readonly string[];
  readonly helpRequested: boolean;
  readonly problems: readonly string[];
}

/**
 * Splits a command line as Go's pflag does: `--name=value`, `--name value`, `--bool`, `--bool=false`, `-v=6`, `-v 6`,
 * `-v6`, `-ab` for booleans, `--` ends the flags, `_` in a name counts as `-`. A boolean never takes the next word.
 */
export function parseArgv(table: OptionTable, argv: readonly string[]): ParsedArgv {
  const reader = new ArgvReader(table, argv);
  reader.run();
  return reader;
}

class ArgvReader implements ParsedArgv {
  readonly flags: { key: string; text: string; spelling: string }[] = [];
  readonly positionals: string[] = [];
  readonly problems: string[] = [];
  helpRequested = false;
  readonly #byName = new Map<string, [key: string, spec: OptionSpec]>();
  readonly #byLetter = new Map<string, [key: string, spec: OptionSpec]>();
  readonly #argv: readonly string[];
  #at = 0;

  constructor(table: OptionTable, argv: readonly string[]) {
    this.#argv = argv;
    for (const [key, spec] of Object.entries(table)) {
      this.#byName.set(spec.name, [key, spec]);
      if (spec.shorthand !== undefined) {
        this.#byLetter.set(spec.shorthand, [key, spec]);
      }
    }
  }

  run(): void {
    while (this.#at < this.#argv.length) {
      const word = this.#argv[this.#at++] ?? '';
      if (word === '--') {
        this.positionals.push(...this.#argv.slice(this.#at));
        return;
      }
      if (word.startsWith('--')) {
        this.#long(word);
      } else if (word.startsWith('-') && word !== '-') {
        this.#short(word);
      } else {
        this.positionals.push(word);
      }
    }
  }

  #long(word: string): void {
    const [written, given] = splitOnce(word.slice(2));
    const name = written.replaceAll('_', '-');
    const found = this.#byName.get(name);
    if (found !== undefined) {
      this.#take(found, `--${written}`, given);
    } else if (name === 'help') {
      this.helpRequested = true;
    } else {
      this.problems.push(`--${written}: unknown flag${didYouMean(name, this.#byName.keys(), '--')}`);
      this.#skipValue(given);
    }
  }

  /** The word after an unknown flag is most likely its value, and no problem of its own. */
  #skipValue(given: string | undefined): void {
    const next = this.#argv[this.#at];
    if (given === undefined && next !== undefined && !next.startsWith('-')) {
      this.#at++;
    }
  }

  #short(word: string): void {
    const [written] = splitOnce(word.slice(1));
    if (written.length > 1 && this.#byName.has(written.replaceAll('_', '-'))) {
      this.problems.push(`-${written}: unknown flag; a long flag takes two dashes: --${written}`);
      return;
    }
    for (let rest = word.slice(1); rest !== ''; ) {
      const letter = rest[0] ?? '';
      rest = rest.slice(1);
      const found = this.#byLetter.get(letter);
      if (found === undefined) {
        if (letter === 'h') {
          this.helpRequested = true;
          continue;
        }
        const all = [...this.#byName.keys()];
        this.problems.push(`-${written}: unknown flag${didYouMean(written, all, '--')}`);
        return;
      }
      if (rest.startsWith('=') || (rest !== '' && aloneText(found[1]) === undefined)) {
        this.#take(found, `-${letter}`, rest.startsWith('=') ? rest.slice(1) : rest);
        return;
      }
      this.#take(found, `-${letter}`, undefined);
    }
  }

  #take([key, spec]: [string, OptionSpec], spelling: string, given: string | undefined): void {
    let text = given ?? aloneText(spec);
    if (text === undefined) {
      text = this.#argv[this.#at++];
      if (text === undefined) {
        this.problems.push(`${spelling}: needs a value, as in ${spelling}=${spec.choices?.[0] ?? 'VALUE'}`);
        return;
      }
    }
    this.flags.push({ key, text, spelling });
  }
}

/** What the flag stands for without a value; undefined when it needs one. */
function aloneText({ type, alone }: OptionSpec): string | undefined {
  return alone ?? (type === 'boolean' ? 'true' : undefined);
}

function splitOnce(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
