import { LOAD_CEILING_ANNOTATION } from '@catamaran/model';
import type { Cycle, FilterPlugin, Rejection } from '../../framework/plugin.js';
import { definePlugin, filterPart } from '../../framework/plugin-definition.js';
import { maxAgeMsOf } from '../../node-statistics/load-args.js';
import { signalUse } from '../../signals/signal-args.js';
import { signalBasisKey } from '../../signals/signal-basis.js';
import { type SignalUse, signalKey } from '../../signals/signal-spec.js';
import type { NodeInfo } from '../../state/node-info.js';
import type { Snapshot } from '../../state/snapshot.js';
import type { Ceilings, LoadCeilingArgs } from './args.js';
import { DEFAULT_MAX_AGE, isLoad, LOAD_NAMES } from './args.js';
import { type CeilingOverrides, readCeilingAnnotation, withOverrides } from './ceilings.js';
import {
  type CeilingGap,
  type FigureSetting,
  type Figures,
  figuresOf,
  gapOf,
  signalDetail,
  useOf,
} from './figures.js';
import { ceilingVerdict, leastLoaded } from './filter.js';

const NAME = 'LoadCeiling';

interface Setting extends FigureSetting {
  readonly args: Partial<LoadCeilingArgs> & Pick<LoadCeilingArgs, 'ceilings'>;
  /** Whatever can have a ceiling. */
  readonly names: readonly string[];
}

/** What is known in a cycle, and what holds for its pod. */
interface Known extends Figures {
  readonly ceilings: Ceilings;
  readonly ofPod: CeilingOverrides;
}

interface State extends Known {
  /** Nodes that stay though they are above a ceiling; undefined: all, as it is not for load that none would do. */
  readonly spared: ReadonlySet<string> | undefined;
}

/** What a plugin with these arguments asks Prometheus. */
export function loadCeilingUses({ signals = [] }: Partial<LoadCeilingArgs>): readonly SignalUse[] {
  return signals.map(signalUse);
}

function known(cycle: Cycle, setting: Setting): Known {
  const { args, names } = setting;
  const { pod } = cycle.pod;
  const { priorityClassName } = pod.spec;
  const ofClass = args.priorityClasses?.find(({ name }) => name === priorityClassName)?.ceilings ?? {};
  return {
    ...figuresOf(cycle, setting),
    ceilings: { ...args.ceilings, ...ofClass },
    ofPod: readCeilingAnnotation(pod.metadata.annotations?.[LOAD_CEILING_ANNOTATION], names),
  };
}

function ceilingsOf(
  { node }: NodeInfo,
  { ceilings, ofPod }: Pick<Known, 'ceilings' | 'ofPod'>,
  { names }: Pick<Setting, 'names'>,
): Ceilings {
  const ofNode = readCeilingAnnotation(node.metadata.annotations?.[LOAD_CEILING_ANNOTATION], names);
  return withOverrides(ceilings, [ofNode, ofPod]);
}

function verdictOn(node: NodeInfo, state: Known, setting: Setting) {
  return ceilingVerdict(ceilingsOf(node, state, setting), useOf(node, state, setting));
}

/** In soft mode, when every node that would do otherwise is above a ceiling: the least loaded of them. */
function sparedNodes(candidates: Iterable<NodeInfo>, state: Known, setting: Setting): State['spared'] {
  const worst = new Map<string, number>();
  for (const node of candidates) {
    const verdict = verdictOn(node, state, setting);
    if (verdict.unknown.length > 0 && setting.args.missingMetrics === 'reject') continue;
    if (verdict.above.length === 0) return NONE;
    worst.set(node.name, verdict.worst);
  }
  return worst.size === 0 ? undefined : leastLoaded(worst);
}

const NONE: ReadonlySet<string> = new Set();

function refusal(node: NodeInfo, state: State, setting: Setting): Rejection | undefined {
  const { above, unknown } = verdictOn(node, state, setting);
  if (above.length > 0 && state.spared?.has(node.name) === false) return rejected(above.map(aboveReason));
  if (unknown.length > 0 && setting.args.missingMetrics === 'reject')
    return rejected(unknown.map(unknownReason));
  return undefined;
}

function rejected(reasons: readonly string[]): Rejection {
  return { plugin: NAME, code: 'Unschedulable', reasons };
}

function subject(name: string): string {
  return isLoad(name) ? `${name} load` : `signal ${name}`;
}

const aboveReason = (name: string): string => `node(s) had ${subject(name)} above the ceiling`;
const unknownReason = (name: string): string => `node(s) had no figure of ${subject(name)}`;

function explain(node: NodeInfo, state: State, setting: Setting): Readonly<Record<string, unknown>> {
  const ceilings = ceilingsOf(node, state, setting);
  const use = useOf(node, state, setting);
  const parts = Object.entries(ceilings).map(([name, ceiling]) => {
    const detail = signalDetail(node, name, { figures: state, setting });
    const percent = use(name);
    const absence = percent === undefined ? { missing: gapOf(name, state, setting).reason } : {};
    return [name, { percent: percent ?? null, ceiling, ...absence, ...detail }] as const;
  });
  const { load } = state;
  const { mode = 'hard', missingMetrics = 'pass' } = setting.args;
  const gaps = verdictOn(node, state, setting).unknown.map((name) => gapOf(name, state, setting));
  const age = Math.max(0, Math.round(load.nowMs / 1000 - load.endUnixSeconds));
  const reads = parts.some(([name]) => isLoad(name));
  return {
    mode,
    ...(reads && load.endUnixSeconds > 0 ? { metricsAgeSeconds: age } : {}),
    ceilings: Object.fromEntries(parts),
    ...(gaps.length === 0 ? {} : { gaps, missingMetrics }),
    ...(state.spared?.has(node.name) === true ? { spared: true } : {}),
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
    ...(isSoft
      ? {
          preFilterAmong: (cycle, candidates) => {
            const state = known(cycle, setting);
            return { ...state, spared: sparedNodes(candidates, state, setting) };
          },
        }
      : { preFilter: (cycle) => ({ kind: 'continue', state: { ...known(cycle, setting), spared: NONE } }) }),
    explainsPassed: true,
    filter: (_cycle, node, state) => refusal(node, state, setting),
    explain: (_cycle, node, state) => explain(node, state, setting),
  };
}

/** Where the arguments' figures are read. */
export interface FigureSources {
  readonly loadSource: string;
  readonly signalSource?: string | undefined;
}

function settingOf(
  given: Partial<LoadCeilingArgs>,
  { loadSource, signalSource = 'default' }: FigureSources,
): Setting {
  const args = { ...given, ceilings: given.ceilings ?? {} };
  const signals = (args.signals ?? []).map((signal) => {
    const { spec, maxAgeMs } = signalUse(signal);
    return { args: signal, key: signalKey(signalSource, spec), maxAgeMs };
  });
  const names = [...LOAD_NAMES, ...signals.map(({ args: { name } }) => name)];
  return { args, maxAgeMs: maxAgeMsOf(args.metricsMaxAge ?? DEFAULT_MAX_AGE), loadSource, signals, names };
}

/** Whatever has a ceiling for some pod, those of annotations aside. */
export function cappedFigures(given: Partial<LoadCeilingArgs>): readonly string[] {
  return Object.keys(anyCeilings(given));
}

function anyCeilings({ ceilings = {}, priorityClasses = [] }: Partial<LoadCeilingArgs>): Ceilings {
  return Object.assign({}, ...priorityClasses.map((item) => item.ceilings), ceilings) as Ceilings;
}

/** Nodes that ceilings of the arguments can't be held against now, by figure and reason. Cost: all nodes. */
export function ceilingGaps(
  snapshot: Snapshot,
  given: Partial<LoadCeilingArgs>,
  sources: FigureSources,
): readonly (CeilingGap & { readonly nodes: number })[] {
  const setting = settingOf(given, sources);
  const figures = figuresOf({ snapshot }, setting);
  const rules = { ceilings: anyCeilings(given), ofPod: new Map() };
  const counted = new Map<string, CeilingGap & { readonly nodes: number }>();
  for (const node of snapshot.nodes()) {
    const ceilings = ceilingsOf(node, rules, setting);
    for (const figure of ceilingVerdict(ceilings, useOf(node, figures, setting)).unknown) {
      const nodes = (counted.get(figure)?.nodes ?? 0) + 1;
      counted.set(figure, { ...gapOf(figure, figures, setting), nodes });
    }
  }
  return [...counted.values()];
}

/** Leaves nodes out whose measured load is above a ceiling. */
export const loadCeilingPlugin = definePlugin<LoadCeilingArgs>(NAME, (args, sources) =>
  filterPart(loadCeiling(settingOf(args, sources))),
);
