import { LOAD_CEILING_ANNOTATION } from '@catamaran/model';
import { parseGoDuration } from '../../framework/go-duration.js';
import type { Cycle, FilterPlugin, Rejection } from '../../framework/plugin.js';
import { definePlugin, filterPart } from '../../framework/plugin-definition.js';
import { type LoadBasis, loadBasis, loadOf } from '../../node-statistics/load-basis.js';
import { signalUse } from '../../signals/signal-args.js';
import {
  explainSignal,
  type SignalBasis,
  signalBasis,
  signalBasisKey,
  signalOf,
} from '../../signals/signal-basis.js';
import { percentOf } from '../../signals/signal-percent.js';
import { type SignalUse, signalKey } from '../../signals/signal-spec.js';
import type { NodeInfo } from '../../state/node-info.js';
import type { Ceilings, LoadCeilingArgs } from './args.js';
import { LOAD_NAMES } from './args.js';
import { candidateNodes } from './candidates.js';
import { type CeilingOverrides, readCeilingAnnotation, withOverrides } from './ceilings.js';
import { ceilingVerdict, leastLoaded, type Use } from './filter.js';

const NAME = 'LoadCeiling';

interface Setting {
  readonly args: Partial<LoadCeilingArgs> & Pick<LoadCeilingArgs, 'ceilings'>;
  readonly maxAgeMs: number;
  readonly loadSource: string;
  readonly signals: readonly {
    readonly args: LoadCeilingArgs['signals'][number];
    readonly key: string;
    readonly maxAgeMs: number;
  }[];
  /** Whatever can have a ceiling. */
  readonly names: readonly string[];
}

/** What is known in a cycle, and what holds for its pod. */
interface Known {
  readonly load: LoadBasis;
  /** By the signals' order. */
  readonly signals: readonly SignalBasis[];
  readonly ceilings: Ceilings;
  readonly ofPod: CeilingOverrides;
}

interface State extends Known {
  /** Nodes that stay though they are above a ceiling. */
  readonly spared: ReadonlySet<string>;
}

/** What a plugin with these arguments asks Prometheus. */
export function loadCeilingUses({ signals = [] }: Partial<LoadCeilingArgs>): readonly SignalUse[] {
  return signals.map(signalUse);
}

function known(cycle: Cycle, { args, maxAgeMs, loadSource, signals, names }: Setting): Known {
  const { pod } = cycle.pod;
  const { priorityClassName } = pod.spec;
  const ofClass = args.priorityClasses?.find(({ name }) => name === priorityClassName)?.ceilings ?? {};
  const settings = {
    maxAgeMs,
    missingMetrics: 'skip',
    whenBlind: 'zeroScore',
    countsUnmeasured: false,
  } as const;
  return {
    load: loadBasis(cycle, { source: loadSource, settings, measuredNodes: (view) => view.averagedNodes }),
    signals: signals.map((signal) => signalBasis(cycle, signal.key, signal.maxAgeMs)),
    ceilings: { ...args.ceilings, ...ofClass },
    ofPod: readCeilingAnnotation(pod.metadata.annotations?.[LOAD_CEILING_ANNOTATION], names),
  };
}

function ceilingsOf({ node }: NodeInfo, { ceilings, ofPod }: Known, { names }: Setting): Ceilings {
  const ofNode = readCeilingAnnotation(node.metadata.annotations?.[LOAD_CEILING_ANNOTATION], names);
  return withOverrides(ceilings, [ofNode, ofPod]);
}

function useOf(node: NodeInfo, state: Known, { signals }: Setting): Use {
  return (name) => {
    const load = loadOf(node, state.load);
    if (name === 'cpu') return load?.cpu?.averagePercent ?? load?.cpuPercent;
    if (name === 'memory') return load?.memory?.averagePercent;
    const index = signals.findIndex(({ args }) => args.name === name);
    const basis = state.signals[index];
    const value = basis === undefined ? undefined : signalOf(node, basis);
    return value === undefined ? undefined : percentOf(value, signals[index]?.args.unit, basis?.view);
  };
}

function verdictOn(node: NodeInfo, state: Known, setting: Setting) {
  return ceilingVerdict(ceilingsOf(node, state, setting), useOf(node, state, setting));
}

/** In soft mode, when every node that would do otherwise is above a ceiling: the least loaded of them. */
function sparedNodes(cycle: Cycle, state: Known, setting: Setting): ReadonlySet<string> {
  if (setting.args.mode !== 'soft') return NONE;
  const worst = new Map<string, number>();
  for (const node of candidateNodes(cycle)) {
    const verdict = verdictOn(node, state, setting);
    if (verdict.unknown.length > 0 && setting.args.missingMetrics === 'reject') continue;
    if (verdict.above.length === 0) return NONE;
    worst.set(node.name, verdict.worst);
  }
  return leastLoaded(worst);
}

const NONE: ReadonlySet<string> = new Set();

function refusal(node: NodeInfo, state: State, setting: Setting): Rejection | undefined {
  const { above, unknown } = verdictOn(node, state, setting);
  if (above.length > 0 && !state.spared.has(node.name)) return rejected(above.map(aboveReason));
  if (unknown.length > 0 && setting.args.missingMetrics === 'reject')
    return rejected(unknown.map(unknownReason));
  return undefined;
}

function rejected(reasons: readonly string[]): Rejection {
  return { plugin: NAME, code: 'Unschedulable', reasons };
}

function subject(name: string): string {
  return LOAD_NAMES.some((load) => load === name) ? `${name} load` : `signal ${name}`;
}

const aboveReason = (name: string): string => `node(s) had ${subject(name)} above the ceiling`;
const unknownReason = (name: string): string => `node(s) had no figure of ${subject(name)}`;

function explain(node: NodeInfo, state: State, setting: Setting): Readonly<Record<string, unknown>> {
  const ceilings = ceilingsOf(node, state, setting);
  const use = useOf(node, state, setting);
  const parts = Object.entries(ceilings).map(([name, ceiling]) => {
    const index = setting.signals.findIndex(({ args }) => args.name === name);
    const basis = state.signals[index];
    const detail = basis === undefined ? {} : explainSignal(node, basis);
    return [name, { percent: use(name) ?? null, ceiling, ...detail }] as const;
  });
  const { load } = state;
  const reads = parts.some(([name]) => LOAD_NAMES.some((each) => each === name));
  const age = Math.max(0, Math.round(load.nowMs / 1000 - load.endUnixSeconds));
  return {
    mode: setting.args.mode ?? 'hard',
    ...(reads && load.endUnixSeconds > 0 ? { metricsAgeSeconds: age } : {}),
    ceilings: Object.fromEntries(parts),
    ...(state.spared.has(node.name) ? { spared: true } : {}),
  };
}

function loadCeiling(setting: Setting): FilterPlugin<State> {
  const isSoft = setting.args.mode === 'soft';
  return {
    name: NAME,
    // In soft mode a node's verdict hangs on all others.
    inputsKey: (cycle) => {
      const { load, signals } = known(cycle, setting);
      const relative = setting.signals.map(({ args }, index) =>
        args.unit === 'relative' ? (signals[index]?.view?.largest ?? '') : '',
      );
      const bases = [load.loadIndex ?? '-', ...signals.map(signalBasisKey), ...relative].join();
      return isSoft ? `${bases} ${cycle.snapshot.version}` : bases;
    },
    preFilter: (cycle) => {
      const state = known(cycle, setting);
      return { kind: 'continue', state: { ...state, spared: sparedNodes(cycle, state, setting) } };
    },
    filter: (_cycle, node, state) => refusal(node, state, setting),
    explain: (_cycle, node, state) => explain(node, state, setting),
  };
}

/** Leaves nodes out whose measured load is above a ceiling. */
export const loadCeilingPlugin = definePlugin<LoadCeilingArgs>(
  NAME,
  (given, { loadSource, signalSource = 'default' }) => {
    const args = { ...given, ceilings: given.ceilings ?? {} };
    const signals = (args.signals ?? []).map((signal) => {
      const { spec, maxAgeMs } = signalUse(signal);
      return { args: signal, key: signalKey(signalSource, spec), maxAgeMs };
    });
    const names = [...LOAD_NAMES, ...signals.map(({ args: { name } }) => name)];
    const maxAgeMs = parseGoDuration(args.metricsMaxAge ?? '5m') ?? 0;
    return filterPart(loadCeiling({ args, maxAgeMs, loadSource, signals, names }));
  },
);
