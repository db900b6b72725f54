import type { Evaluation } from '@catamaran/scheduler';

/** The `expect` of a scenario, as far as it is compared. */
export interface RecordedDecision {
  readonly feasible: readonly string[];
  /** node → plugin → weighted score. */
  readonly scores: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly total: Readonly<Record<string, number>>;
  readonly best: readonly string[];
  readonly rejected: readonly {
    readonly plugin: string;
    readonly code: string;
    readonly reasons: readonly string[];
    readonly nodes: readonly string[];
  }[];
  readonly unschedulable: { readonly reason: string; readonly message: string } | null;
}

export interface Difference {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
}

/**
 * What an evaluation and a recording disagree on. Plugins without code are not compared, and totals only where every
 * plugin that scored has code.
 */
export function differences(
  evaluation: Evaluation,
  recorded: RecordedDecision,
  unbuilt: readonly string[],
): readonly Difference[] {
  const { decision } = evaluation;
  if (decision.kind === 'error') {
    return [{ what: 'decision', expected: decideText(recorded), got: decision.message }];
  }
  return [
    ...compare('feasible', [...recorded.feasible].sort().join(), [...evaluation.feasible].sort().join()),
    ...compare('rejected', recordedRejections(recorded), rejections(evaluation)),
    ...scoreDifferences(evaluation, recorded, unbuilt),
    ...totalDifferences(evaluation, recorded, unbuilt),
    ...messageDifference(evaluation, recorded),
  ];
}

function compare(what: string, expected: string, got: string): readonly Difference[] {
  return expected === got ? [] : [{ what, expected: expected || 'none', got: got || 'none' }];
}

function decideText({ feasible, unschedulable }: RecordedDecision): string {
  return unschedulable?.message ?? `one of ${feasible.join()}`;
}

function recordedRejections({ rejected }: RecordedDecision): string {
  return rejected
    .flatMap(({ plugin, code, reasons, nodes }) =>
      nodes.map((node) => `${node}: ${plugin} ${code} ${[...reasons].sort().join(', ')}`),
    )
    .sort()
    .join(' | ');
}

function rejections({ rejected }: Evaluation): string {
  return rejected
    .map(
      ({ node, rejection: { plugin, code, reasons } }) =>
        `${node}: ${plugin} ${code} ${[...reasons].sort().join(', ')}`,
    )
    .sort()
    .join(' | ');
}

function scoreDifferences(
  { scores }: Evaluation,
  recorded: RecordedDecision,
  unbuilt: readonly string[],
): readonly Difference[] {
  return Object.entries(recorded.scores).flatMap(([node, byPlugin]) => {
    const ours = scores.find((score) => score.node === node)?.byPlugin ?? {};
    const plugins = new Set([...Object.keys(byPlugin), ...Object.keys(ours)]);
    return [...plugins]
      .filter((plugin) => !unbuilt.includes(plugin))
      .flatMap((plugin) =>
        compare(`${plugin} of ${node}`, String(byPlugin[plugin] ?? 0), String(ours[plugin] ?? 0)),
      );
  });
}

function totalDifferences(
  { scores, best }: Evaluation,
  recorded: RecordedDecision,
  unbuilt: readonly string[],
): readonly Difference[] {
  const scoring = new Set(Object.values(recorded.scores).flatMap((byPlugin) => Object.keys(byPlugin)));
  if (unbuilt.some((plugin) => scoring.has(plugin))) return [];
  return [
    ...scores.flatMap(({ node, total }) =>
      compare(`total of ${node}`, String(recorded.total[node] ?? 0), String(total)),
    ),
    ...compare('best', [...recorded.best].sort().join(), [...best].sort().join()),
  ];
}

/** Preemption is not tried here, so the recorded text counts up to where it speaks of that. */
function messageDifference(
  { decision }: Evaluation,
  { unschedulable }: RecordedDecision,
): readonly Difference[] {
  const expected = (unschedulable?.message ?? '').replace(/\. (preemption: .*|not found)$/s, '.');
  return compare('message', expected, decision.kind === 'unschedulable' ? decision.message : '');
}
