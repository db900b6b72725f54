import type { RowKernel, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, type PluginDefinition, scorePart } from '../../framework/plugin-definition.js';
import { ScoreError } from '../../framework/score-error.js';
import { maxAgeMsOf } from '../../node-statistics/load-args.js';
import {
  explainSignal,
  type SignalBasis,
  signalBasis,
  signalBasisKey,
  signalOf,
} from '../../signals/signal-basis.js';
import { type SignalUse, signalKey } from '../../signals/signal-spec.js';
import type { NodeInfo } from '../../state/node-info.js';
import { CPU_TRAFFIC } from '../cpu-traffic/query.js';
import { DISK_SPACE_TRAFFIC } from '../disk-space-traffic/query.js';
import { DISK_TRAFFIC } from '../disk-traffic/query.js';
import { MEMORY_TRAFFIC } from '../memory-traffic/query.js';
import { NETWORK_TRAFFIC } from '../network-traffic/query.js';
import { rangeMinutes, TRAFFIC_DEFAULTS, type TrafficArgs } from './args.js';
import { devicePattern } from './device-pattern.js';
import { BEHIND_ALL, NEUTRAL, trafficScore } from './score.js';
import type { TrafficKind } from './traffic-kind.js';

export const TRAFFIC_KINDS: readonly TrafficKind[] = [
  CPU_TRAFFIC,
  MEMORY_TRAFFIC,
  DISK_TRAFFIC,
  DISK_SPACE_TRAFFIC,
  NETWORK_TRAFFIC,
];

/** What a plugin with these arguments asks Prometheus. */
export function trafficSignal(kind: TrafficKind, given: Partial<TrafficArgs>): SignalUse {
  const { timeRange, deviceName, mountPoint, nodeLabel, metricsMaxAge } = { ...TRAFFIC_DEFAULTS, ...given };
  const promql = kind.promql({
    range: `${rangeMinutes(timeRange)}m`,
    devices: deviceName === undefined ? undefined : devicePattern(deviceName),
    mountPoint,
  });
  return {
    spec: {
      name: kind.signal,
      promql,
      unit: kind.unit === 'percent' ? 'percent' : 'amount',
      nodeLabel,
      counts: kind.direction === 'free' ? 'lowest' : 'highest',
    },
    maxAgeMs: maxAgeMsOf(metricsMaxAge),
  };
}

interface Setting {
  readonly kind: TrafficKind;
  readonly missing: TrafficArgs['missingMetrics'];
}

function rawScore(node: NodeInfo, basis: SignalBasis, { kind, missing }: Setting): number {
  const value = signalOf(node, basis);
  if (value !== undefined) return value;
  if (missing === 'error') {
    const text = `finds no usable value of ${kind.signal} for node "${node.name}" (missingMetrics: error)`;
    throw new ScoreError(kind.name, text);
  }
  return missing === 'skip' ? NEUTRAL : BEHIND_ALL;
}

/** The value; NaN where there is none. */
const kernel: RowKernel<SignalBasis> = {
  width: 1,
  digest: (node, basis, row) => {
    row[0] = signalOf(node, basis) ?? Number.NaN;
  },
  value: (_basis, table, at) => table[at] ?? Number.NaN,
};

function explain(
  node: NodeInfo,
  basis: SignalBasis,
  { kind, missing }: Setting,
): Readonly<Record<string, unknown>> {
  const found = explainSignal(node, basis);
  return {
    signal: kind.signal,
    ...found,
    ...('missing' in found
      ? { missingMetrics: missing }
      : { unit: kind.unit, better: BETTER[kind.direction] }),
  };
}

const BETTER: Readonly<Record<TrafficKind['direction'], string>> = { free: 'higher', traffic: 'lower' };

function traffic(kind: TrafficKind, given: Partial<TrafficArgs>, source: string): ScorePlugin<SignalBasis> {
  const { spec, maxAgeMs } = trafficSignal(kind, given);
  const key = signalKey(source, spec);
  const setting = { kind, missing: given.missingMetrics ?? TRAFFIC_DEFAULTS.missingMetrics };
  return {
    name: kind.name,
    inputsKey: (cycle) => signalBasisKey(signalBasis(cycle, key, maxAgeMs)),
    preScore: (cycle) => ({ kind: 'continue', state: signalBasis(cycle, key, maxAgeMs) }),
    score: (_cycle, node, basis) => rawScore(node, basis, setting),
    normalize: (raw, range) => trafficScore(raw, range, kind.direction),
    kernel,
    explain: (_cycle, node, basis) => explain(node, basis, setting),
  };
}

/** The five plugins: nodes with more free CPU, memory or disk space, or with less traffic, are liked better. */
export const TRAFFIC_PLUGINS: readonly PluginDefinition[] = TRAFFIC_KINDS.map((kind) =>
  definePlugin<TrafficArgs>(kind.name, (args, { signalSource = 'default' }) =>
    scorePart(traffic(kind, args, signalSource)),
  ),
);
