import { expect } from 'chai';
import fc from 'fast-check';
import { PLUGIN_DEFINITIONS } from '../plugins/plugin-definitions.js';
import { signalNeeds } from '../plugins/signal-users.js';
import { signalKey } from '../signals/signal-spec.js';
import { applyEvent, clusterEvent, NOW_MS, pendingPod } from '../state/cluster-events.test.js';
import { ClusterState } from '../state/cluster-state.js';
import { podInfo } from '../state/pod-info.js';
import type { SignalReading } from '../state/signal-store.js';
import type { Cycle, FilterPlugin, RowKernel, ScorePlugin } from './plugin.js';

/** Arguments under which kernels take other paths. */
const ARGS: readonly Readonly<Record<string, unknown>>[] = [
  {
    Peaks: { nodePowerModel: powerModels(['n0', 'n1', 'n2', 'n3', 'n4', 'n5']) },
    NodeSignals: {
      prometheus: { address: 'http://p' },
      signals: [
        signal('a', { unit: 'percent', direction: 'pack', target: 70, ceiling: 95 }),
        signal('b', { unit: 'relative', direction: 'spread', weight: 3 }),
      ],
    },
  },
  {
    LoadVariationRiskBalancing: { unmeasuredPods: 'count', safeVarianceSensitivity: 3 },
    LowRiskOverCommitment: { unmeasuredPods: 'count', missingMetrics: 'useRequests' },
    Peaks: { unmeasuredPods: 'count', nodePowerModel: powerModels(['n0', 'n1', 'n2', 'n3', 'n4']) },
    TargetLoadPacking: { unmeasuredPods: 'ignore', targetUtilization: 70 },
    NodeResourcesFit: { scoringStrategy: { type: 'MostAllocated' } },
    NetworkTraffic: { missingMetrics: 'skip' },
    NodeSignals: {
      prometheus: { address: 'http://p' },
      signals: [
        signal('a', { unit: 'ratio', direction: 'avoid', ceiling: 60, missing: 'skip' }),
        signal('b', { capacity: 1000, direction: 'spread' }),
      ],
    },
  },
];

function signal(name: string, rule: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { name, promQL: name, maxAge: '5m', weight: 1, missing: 'zeroScore', ...rule };
}

/** Each signal that a plugin with these arguments reads, with a value for all nodes but one. */
function readingsFor(args: Readonly<Record<string, unknown>>): readonly SignalReading[] {
  const values = new Map([0, 0.5, 12, 80, 1e9].map((value, index) => [`n${index}`, value]));
  return PLUGIN_DEFINITIONS.flatMap(({ name }) => signalNeeds(name, args[name])?.uses ?? []).map(
    ({ spec }) => ({ key: signalKey('default', spec), readMs: NOW_MS, values, absences: new Map() }),
  );
}

function powerModels(names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name, index) => [name, { k0: 100, k1: 5 + index, k2: 0.03 }]));
}

interface Kernelled {
  readonly name: string;
  readonly kernel: RowKernel;
  /** The state for a cycle, undefined when the plugin skips. */
  readonly prepare: (cycle: Cycle) => { readonly state: unknown } | undefined;
  /** The long way, as a kernel would say it. */
  readonly plain: (cycle: Cycle, slot: number, state: unknown) => number;
}

function kernelled(args: Readonly<Record<string, unknown>>): readonly Kernelled[] {
  return PLUGIN_DEFINITIONS.flatMap((definition) => {
    const { filter, score } = definition.create(args[definition.name], { loadSource: 'default' });
    return [
      ...(filter === undefined ? [] : ofFilter(filter)),
      ...(score === undefined ? [] : ofScore(score)),
    ];
  });
}

function ofFilter(plugin: FilterPlugin): readonly Kernelled[] {
  if (plugin.kernel === undefined) return [];
  return [
    {
      name: `${plugin.name} filter`,
      kernel: plugin.kernel,
      prepare: (cycle) => {
        const outcome = plugin.preFilter?.(cycle) ?? { kind: 'continue', state: undefined };
        return outcome.kind === 'continue' ? outcome : undefined;
      },
      plain: (cycle, slot, state) =>
        plugin.filter(cycle, cycle.snapshot.nodeAt(slot), state) === undefined ? 1 : 0,
    },
  ];
}

function ofScore(plugin: ScorePlugin): readonly Kernelled[] {
  if (plugin.kernel === undefined) return [];
  return [
    {
      name: `${plugin.name} score`,
      kernel: plugin.kernel,
      prepare: (cycle) => {
        const outcome = plugin.preScore?.(cycle) ?? { kind: 'continue', state: undefined };
        return outcome.kind === 'continue' ? outcome : undefined;
      },
      plain: (cycle, slot, state) => plugin.score(cycle, cycle.snapshot.nodeAt(slot), state),
    },
  ];
}

describe('row kernels', () => {
  for (const [index, args] of ARGS.entries()) {
    for (const { name, kernel, prepare, plain } of kernelled(args)) {
      it(`${name} says what the plugin says, or that it can not tell (arguments ${index + 1})`, () => {
        let told = 0;
        fc.assert(
          fc.property(
            fc.array(clusterEvent, { minLength: 10, maxLength: 30 }),
            pendingPod,
            (events, pending) => {
              const state = new ClusterState();
              for (const event of events) applyEvent(state, event);
              state.setSignals(readingsFor(args));
              const cycle = { pod: podInfo(pending), snapshot: state.snapshot(NOW_MS) };
              const prepared = prepare(cycle);
              if (prepared === undefined) return;
              for (let slot = 0; slot < cycle.snapshot.nodeCount; slot += 1) {
                const row = new Float64Array(kernel.width);
                kernel.digest(cycle.snapshot.nodeAt(slot), prepared.state, row);
                const value = kernel.value(prepared.state, row, 0);
                if (Number.isNaN(value)) continue;
                told += 1;
                expect(value).to.equal(plain(cycle, slot, prepared.state));
              }
            },
          ),
          { numRuns: 60 },
        );
        expect(told, 'nodes of which the kernel told something').to.be.above(0);
      });
    }
  }
});
