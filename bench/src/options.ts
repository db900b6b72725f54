import { defineOptions, didYouMean, stageOptions, UsageError } from '@catamaran/platform';

export const BENCH_OPTIONS = defineOptions({
  write: {
    name: 'write',
    type: 'boolean',
    default: false,
    description: 'Put the figures into docs/performance.md and README.md.',
  },
});

export interface BenchOptions {
  /** Suites to run, by name. */
  readonly names: readonly string[];
  readonly write: boolean;
}

/**
 * Reads flags and names; without names all suites run.
 * @returns undefined when help was asked for.
 * @throws UsageError with all problems at once.
 */
export function readBenchOptions(
  argv: readonly string[],
  known: readonly string[],
): BenchOptions | undefined {
  const staged = stageOptions(BENCH_OPTIONS, { argv, env: {}, allowPositionals: true });
  if (!staged.ok) throw new UsageError(staged.problems);
  if (staged.helpRequested) return undefined;
  const { positionals, values } = staged;
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(unknown.map((name) => `${name}: no such benchmark${didYouMean(name, known)}`));
  }
  const names = positionals.length === 0 ? known : known.filter((name) => positionals.includes(name));
  return { names, write: values.write };
}
