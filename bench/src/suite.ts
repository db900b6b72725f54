/** One figure of ours beside one of a named rival, from the same run. */
export interface Comparison {
  /** What was done, with the size. */
  readonly what: string;
  /** `per second`: more is better; times: less is better. */
  readonly unit: 'per second' | 'microseconds' | 'CPU seconds';
  readonly ours: number;
  readonly rival: number;
  readonly rivalName: string;
}

/** What a suite found. */
export interface Report {
  readonly comparisons: readonly Comparison[];
  /** Sentences about what has no rival: memory, growth, longest pause. */
  readonly facts: readonly string[];
  /** Lines of a Markdown table for the README. */
  readonly scaling?: readonly string[];
}

/** Something the machine lacks. */
export interface Skipped {
  readonly skipped: string;
}

/** Benchmarks that belong together. Each suite runs in a process of its own, so that none warms or burdens another. */
export interface Suite {
  readonly name: string;
  /** One sentence: what is measured, against which rival. */
  readonly summary: string;
  /** @param say one line of progress. */
  readonly run: (say: (line: string) => void) => Promise<Report | Skipped>;
}

/** How many times as fast as the rival; below 1 the rival is faster. */
export function timesAsFast({ unit, ours, rival }: Comparison): number {
  return unit === 'per second' ? ours / rival : rival / ours;
}
