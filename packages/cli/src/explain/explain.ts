import { bearerTokenProblem, OperatorError } from '@catamaran/platform';
import type { Explanation } from '@catamaran/scheduler';
import { readInputFile } from '../input-file.js';
import { decisionOf, newestDecision } from './decision-body.js';
import type { ExplainOptions } from './options.js';
import { readPodFile } from './pod-file.js';
import { askScheduler, type SchedulerTarget } from './scheduler-call.js';
import { decisionLines } from './view/decision-text.js';

export interface ExplainOutput {
  /** Characters in a line. */
  readonly columns: number;
  readonly writeLine: (line: string) => void;
}

const NODES_SHOWN = 10;
/** Asked for, so that refused nodes, which come last, are counted too. */
const NODES_ASKED = 1_000;

/** Prints one decision. @throws OperatorError when there is none to be had. */
export async function explainDecision(
  options: ExplainOptions,
  { columns, writeLine }: ExplainOutput,
  stop: AbortSignal,
): Promise<void> {
  const { subject, nodes, output } = options;
  if (output === 'json') {
    writeLine(JSON.stringify(await fetchDecision(options, nodes, stop), undefined, 2));
    return;
  }
  const nodesShown = nodes ?? NODES_SHOWN;
  const decision = await fetchDecision(options, Math.max(nodesShown, NODES_ASKED), stop);
  const isHypothetical = subject.kind === 'file';
  for (const line of decisionLines(decision, { isHypothetical, nodesShown, columns })) writeLine(line);
}

async function fetchDecision(
  options: ExplainOptions,
  nodes: number | undefined,
  stop: AbortSignal,
): Promise<Explanation> {
  const { subject, profile } = options;
  const target = await targetOf(options, stop);
  const query = new URLSearchParams(nodes === undefined ? {} : { nodes: String(nodes) });
  if (subject.kind === 'file') {
    if (profile !== '') query.set('profile', profile);
    const body = await readPodFile(subject.path, stop);
    return decisionOf(await askScheduler(target, { path: `/debug/explain?${query.toString()}`, body }, stop));
  }
  query.set('pod', subject.podKey);
  query.set('limit', '1');
  const decision = newestDecision(
    await askScheduler(target, { path: `/debug/decisions?${query.toString()}` }, stop),
  );
  if (decision === undefined) throw neverTried(subject.podKey, options.scheduler);
  return decision;
}

async function targetOf(
  { scheduler, insecureSkipTlsVerify, tokenFile, certificateAuthority }: ExplainOptions,
  stop: AbortSignal,
): Promise<SchedulerTarget> {
  const textOf = async (path: string): Promise<string | undefined> =>
    path === '' ? undefined : (await readInputFile(path, stop)).text;
  const token = (await textOf(tokenFile))?.trim();
  const caPem = await textOf(certificateAuthority);
  const problem = token === undefined ? undefined : bearerTokenProblem(token);
  if (problem !== undefined) throw new OperatorError(`--token-file: ${tokenFile}: ${problem}`);
  return {
    scheduler,
    insecureSkipTlsVerify,
    ...(token === undefined ? {} : { token }),
    ...(caPem === undefined ? {} : { caPem }),
  };
}

function neverTried(podKey: string, { origin }: URL): OperatorError {
  return new OperatorError(
    `${podKey}: the scheduler at ${origin} knows no decision about it. Either spec.schedulerName is none of its ` +
      'profiles, or it has not been tried since the scheduler started, or that was long ago (the last 1000 are kept). ' +
      'What would happen now: kubectl get pod … -o json | catamaran explain --file -',
  );
}
