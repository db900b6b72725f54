import { type CompiledProfile, type Cycle, type NodeInfo, podInfo, scoreAll } from '@catamaran/scheduler';
import type { Outcome } from './format.js';
import { isMap } from './json-map.js';
import {
  NODE_NAME,
  type Peer,
  type ScoreVector,
  vectorWorld,
  WINDOW_END_UNIX_SECONDS,
} from './score-vector-world.js';
import { singlePluginProfile } from './single-plugin-profile.js';

/** A Peaks case: what its steps give, or `last`, the node ranks behind every node that has a cost; or `reject`. */
interface PeaksVector extends ScoreVector {
  readonly args: Readonly<Record<string, unknown>>;
  readonly expect?: PeaksSteps | 'last' | 'reject';
}

/** Decimal texts. */
interface PeaksSteps {
  readonly predictedPercent: string;
  readonly jump: string;
  readonly raw: string;
}

/** Large and nearly idle, so it has a cost whatever the pod. */
const PEER: Peer = {
  name: 'peer',
  resources: { capacity: { cpu: '100k' }, allocatable: { cpu: '100k' } },
  metrics: [{ type: 'CPU', operator: 'AVG', value: 1 }],
};
const PEER_MODEL = { k0: 100, k1: 5, k2: 0.03 };

export function isPeaksVector(vector: ScoreVector): vector is PeaksVector {
  return vector.plugin === 'Peaks' && isMap(vector.args);
}

export function replayPeaks(vector: PeaksVector): Outcome {
  const { expect = vector.upstream } = vector;
  const expected = isMap(expect) ? stepsText(expect as unknown as PeaksSteps) : String(expect);
  const got = outcomeOf(vector, expected);
  return got === expected ? { kind: 'passed' } : { kind: 'failed', expected, got };
}

function outcomeOf(vector: PeaksVector, expected: string): string {
  const { powerModel, ...args } = vector.args;
  const models = { ...(isMap(powerModel) ? { [NODE_NAME]: powerModel } : {}), [PEER.name]: PEER_MODEL };
  const profile = singlePluginProfile({ plugin: 'Peaks', args: { ...args, NodePowerModel: models } });
  if (profile === undefined) return 'reject';
  const snapshot = vectorWorld(vector, [PEER]).snapshot(WINDOW_END_UNIX_SECONDS * 1000);
  const pod = podInfo({ ...vector.pod, metadata: { name: 'pending', namespace: 'default' } });
  const cycle = { pod, snapshot };
  const nodes = [...snapshot.nodes()];
  if (expected === 'last') return rank(cycle, profile, nodes);
  const [node] = nodes;
  return node === undefined ? 'no node' : steps(cycle, profile, node);
}

function rank(cycle: Cycle, profile: CompiledProfile, nodes: readonly NodeInfo[]): string {
  const [score = Number.NaN, peerScore = Number.NaN] = scoreAll(cycle, profile, nodes).map(
    ({ total }) => total,
  );
  return score < peerScore ? 'last' : `${score}, not behind the ${peerScore} of a node that has a cost`;
}

function steps(cycle: Cycle, profile: CompiledProfile, node: NodeInfo): string {
  const [scored] = profile.scores;
  const prepared = scored?.plugin.preScore?.(cycle);
  if (scored === undefined || prepared?.kind !== 'continue') return 'not scored';
  const { branch, expectedPercent, jumpWatts } = scored.plugin.explain?.(cycle, node, prepared.state) ?? {};
  if (branch !== 'power') return String(branch);
  const raw = scored.plugin.score(cycle, node, prepared.state);
  const wholeRaw = Number.isFinite(raw) ? String(BigInt(raw)) : String(raw);
  return stepsText({ predictedPercent: text(expectedPercent), jump: text(jumpWatts), raw: wholeRaw });
}

/** Numbers in the shortest form that tells doubles apart, so that the way they are written does not matter. */
function stepsText({ predictedPercent, jump, raw }: PeaksSteps): string {
  return `predicted ${text(Number(predictedPercent))} jump ${text(Number(jump))} raw ${raw}`;
}

function text(value: unknown): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
