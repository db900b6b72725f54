import { int64ToNumber } from '@catamaran/model';
import type { Cycle, RowKernel, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, scorePart } from '../../framework/plugin-definition.js';
import {
  basisKey,
  explainAbsence,
  explainAge,
  type LoadBasis,
  type LoadReading,
  loadBasis,
} from '../../node-statistics/load-basis.js';
import { measuredScore } from '../../node-statistics/measured-score.js';
import { PodLimitsMemo, podLimits } from '../../node-statistics/pod-limits.js';
import type { NodeInfo } from '../../state/node-info.js';
import {
  type LowRiskOverCommitmentArgs,
  type OverCommitmentSettings,
  overCommitmentSettings,
} from './args.js';
import { nodeState, type Reader, type ResourceState } from './node-state.js';
import { combinedRisk, limitRisk, overCommitmentScore } from './score.js';

const NAME = 'LowRiskOverCommitment';

type Resource = 'cpu' | 'memory';

/** Of the pod to be placed. */
interface Claim {
  readonly requests: number;
  readonly limits: number;
}

interface State extends LoadBasis {
  readonly cpu: Claim;
  readonly memory: Claim;
}

/** Numbers of one resource in a row: capacity, requests, limits, risk from load. */
const RESOURCE_WIDTH = 4;

function fillResource(row: Float64Array, at: number, state: ResourceState): void {
  row[at] = state.capacity;
  row[at + 1] = state.requests;
  row[at + 2] = state.limits;
  row[at + 3] = state.loadRisk;
}

function riskFromLimits(table: Float64Array, at: number, claim: Claim): number {
  const capacity = table[at] ?? 0;
  return limitRisk({
    capacity,
    requests: Math.min((table[at + 1] ?? 0) + claim.requests, capacity),
    limits: (table[at + 2] ?? 0) + claim.limits,
  });
}

function overCommitmentKernel(reader: Reader): RowKernel<State> {
  const { weights } = reader.settings;
  const riskOf = (
    table: Float64Array,
    at: number,
    { claim, weight }: { claim: Claim; weight: number },
  ): number => combinedRisk(riskFromLimits(table, at, claim), table[at + 3] ?? 0, weight);
  return {
    width: 2 * RESOURCE_WIDTH,
    digest: (node, basis, row) => {
      const state = nodeState(node, basis, reader);
      fillResource(row, 0, state.cpu);
      fillResource(row, RESOURCE_WIDTH, state.memory);
      if (state.basis === 'none') row[0] = Number.NaN;
    },
    value: ({ cpu, memory }, table, at) => {
      if (claimsNothing(cpu, memory)) return 0;
      if (Number.isNaN(table[at])) return Number.NaN;
      return overCommitmentScore(
        riskOf(table, at, { claim: cpu, weight: weights.cpu }),
        riskOf(table, at + RESOURCE_WIDTH, { claim: memory, weight: weights.memory }),
      );
    },
  };
}

/** Best-effort pods add no risk anywhere: the plugin does not rank nodes for them. */
function claimsNothing(cpu: Claim, memory: Claim): boolean {
  return cpu.requests === 0 && cpu.limits === 0 && memory.requests === 0 && memory.limits === 0;
}

function explain(node: NodeInfo, state: State, reader: Reader): Readonly<Record<string, unknown>> {
  if (claimsNothing(state.cpu, state.memory)) return { branch: 'best-effort' };
  const { windowSize, weights } = reader.settings;
  const found = nodeState(node, state, reader);
  if (found.basis === 'none') return { branch: 'no-metrics', ...explainAbsence(state) };
  const row = new Float64Array(RESOURCE_WIDTH);
  const resource = (name: Resource): Readonly<Record<string, unknown>> => {
    fillResource(row, 0, found[name]);
    const fromLimits = riskFromLimits(row, 0, state[name]);
    const { loadRisk: fromLoad, use, capacity, requests, limits } = found[name];
    return {
      capacity,
      requests,
      limits,
      podRequests: state[name].requests,
      podLimits: state[name].limits,
      ...(use === undefined ? { measured: false } : { mean: use.mean, deviation: use.deviation }),
      limitRisk: fromLimits,
      loadRisk: fromLoad,
      weight: weights[name],
      risk: combinedRisk(fromLimits, fromLoad, weights[name]),
    };
  };
  return {
    branch: 'risk',
    basis: found.basis,
    ...(found.basis === 'metrics' ? explainAge(state) : {}),
    cpuMilli: resource('cpu'),
    memoryBytes: resource('memory'),
    smoothingWindowSize: windowSize,
  };
}

function overCommitment(settings: OverCommitmentSettings, source: string): ScorePlugin<State> {
  const measuredNodes: LoadReading['measuredNodes'] = ({ averagedNodes }) => averagedNodes;
  const reading: LoadReading = { source, settings: settings.load, measuredNodes };
  const reader: Reader = { settings, limits: new PodLimitsMemo() };
  const kernel = overCommitmentKernel(reader);
  return {
    name: NAME,
    inputsKey: (cycle) => basisKey(loadBasis(cycle, reading), settings.load),
    preScore: (cycle: Cycle) => {
      const { requests } = cycle.pod;
      const limits = podLimits(cycle.pod);
      const claims = {
        cpu: { requests: int64ToNumber(requests.cpuMilli), limits: int64ToNumber(limits.cpuMilli) },
        memory: { requests: int64ToNumber(requests.memoryBytes), limits: int64ToNumber(limits.memoryBytes) },
      };
      return { kind: 'continue', state: { ...loadBasis(cycle, reading), ...claims } };
    },
    score: (_cycle, node, state) => measuredScore(NAME, kernel, { node, state }),
    kernel,
    explain: (_cycle, node, state) => explain(node, state, reader),
  };
}

/** Prefers nodes where pods are least likely to need more than they request. */
export const lowRiskOverCommitment = definePlugin<LowRiskOverCommitmentArgs>(NAME, (args, { loadSource }) =>
  scorePart(overCommitment(overCommitmentSettings(args), loadSource)),
);
