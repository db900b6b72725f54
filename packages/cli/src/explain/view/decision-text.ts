import { roughDuration } from '@catamaran/platform';
import type { Explanation } from '@catamaran/scheduler';
import { gapLines } from './gap-lines.js';
import { inputLines } from './input-lines.js';
import { PACKING, packingLines } from './packing-lines.js';
import { refusedLines } from './refused-lines.js';
import { type ExplainedNode, scoreLines } from './score-lines.js';
import { wrapped } from './text-layout.js';

export interface DecisionView {
  /** The pod exists only in a file. */
  readonly isHypothetical: boolean;
  /** Rows of nodes, and names of refused nodes per reason. */
  readonly nodesShown: number;
  readonly columns: number;
}

/** A decision for people: what was chosen, why the second best lost, scores and their inputs, refused nodes. */
export function decisionLines(decision: Explanation, view: DecisionView): string[] {
  const { nodes, chosen, omittedNodes, note } = decision;
  const { nodesShown, columns } = view;
  const feasible = nodes.filter(({ rejectedBy }) => rejectedBy === undefined);
  const refused = nodes.filter(({ rejectedBy }) => rejectedBy !== undefined);
  const listed = feasible.slice(0, nodesShown);
  const isScored = listed.some(({ scores }) => Object.keys(scores).length > 0);
  const blocks = [
    headLines(decision, view),
    whyLines(decision, feasible.length).flatMap((text) => wrapped(text, columns)),
    gapLines(decision.gaps ?? []).flatMap((text) => wrapped(text, columns)),
    isScored ? [...scoreLines(listed, chosen, columns), ...moreLines(feasible.length, nodesShown)] : [],
    packingLines(listed, chosen, columns),
    ...otherInputs(listed, decision, columns),
    refused.length === 0 ? [] : refusedLines(refused, view),
    ...otherInputs(refused.slice(0, nodesShown), decision, columns),
    omittedNodes === 0 || note !== undefined
      ? []
      : [`${omittedNodes} more nodes were left out (--nodes ${nodes.length + omittedNodes} lists them).`],
  ];
  return blocks
    .filter(({ length }) => length > 0)
    .flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

function headLines(
  { pod, outcome, chosen, message, profile, time, loadAgeSeconds }: Explanation,
  { isHypothetical, columns }: DecisionView,
): string[] {
  const verdict =
    chosen === null
      ? `${pod} ${isHypothetical ? 'would not be' : 'was not'} placed (${outcome})`
      : `${pod} ${isHypothetical ? 'would go' : 'went'} to ${chosen}`;
  const age = loadAgeSeconds === undefined ? '' : `, load figures ${ageText(loadAgeSeconds)}`;
  return [
    verdict,
    `profile ${profile}, ${time}${age}`,
    ...(message === undefined ? [] : wrapped(message, columns)),
  ];
}

function ageText(seconds: number): string {
  const age = roughDuration(Math.abs(seconds) * 1000);
  return seconds < 0 ? `${age} ahead of this clock` : `${age} old`;
}

function whyLines({ chosen, runnerUp, note }: Explanation, feasibleCount: number): string[] {
  if (note !== undefined) return [`No details: ${note}.`];
  if (chosen === null) return [];
  if (runnerUp === undefined) {
    return feasibleCount === 1 ? ['It was the only node that passed the filters, so none was scored.'] : [];
  }
  const { name, total, lostBy, tied } = runnerUp;
  const second = `Second best: ${name} with ${total} points`;
  if (tied) return [`${second}, as many as ${chosen}; among equals the pod's uid decides.`];
  const differences = Object.entries(lostBy).map(([plugin, points]) => `${plugin} ${signed(points)}`);
  const lead = Object.values(lostBy).reduce((sum, points) => sum + points, 0);
  return [`${second}. ${chosen} is ahead by ${lead}: ${differences.join(', ')}.`];
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points);
}

function moreLines(count: number, nodesShown: number): string[] {
  return count > nodesShown ? [`… and ${count - nodesShown} more nodes (--nodes ${count} lists them)`] : [];
}

/** A block for each plugin but TargetLoadPacking, which has its own. */
function otherInputs(
  nodes: readonly ExplainedNode[],
  { chosen }: Explanation,
  columns: number,
): readonly string[][] {
  const names = new Set(nodes.flatMap(({ inputs }) => Object.keys(inputs ?? {})));
  names.delete(PACKING);
  return [...names].map((plugin) => {
    const isRefusal = nodes.some(({ rejectedBy }) => rejectedBy === plugin);
    const title = isRefusal ? `${plugin}, refused nodes` : plugin;
    return inputLines(plugin, nodes, { title, chosen, columns });
  });
}
