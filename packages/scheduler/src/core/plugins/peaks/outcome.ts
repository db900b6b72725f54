import { int64ToNumber } from '@catamaran/model';
import { type LoadBasis, loadOf } from '../../node-statistics/load-basis.js';
import { unmeasuredRequests } from '../../node-statistics/unmeasured-pods.js';
import type { NodeInfo } from '../../state/node-info.js';
import type { PeaksSettings, PowerModel } from './args.js';
import { percentOf } from './score.js';

export interface State extends LoadBasis {
  readonly podCpuMilli: number;
}

/** CPU of a node without the pod. */
interface Use {
  readonly basis: 'metrics' | 'requests';
  readonly usedCpuMilli: number;
  readonly percent: number;
}

/** @param capacity milli-CPU, above 0. Undefined: nothing tells how much is used. */
function useOf(
  node: NodeInfo,
  capacity: number,
  { basis, settings }: { readonly basis: LoadBasis; readonly settings: PeaksSettings },
): Use | undefined {
  const percent = loadOf(node, basis)?.firstCpuPercent;
  if (percent === undefined) {
    if (basis.missing !== 'useRequests') return undefined;
    const usedCpuMilli = int64ToNumber(node.requested.cpuMilli);
    return { basis: 'requests', usedCpuMilli, percent: percentOf(usedCpuMilli, capacity) };
  }
  const measured = (percent / 100) * capacity;
  if (!settings.load.countsUnmeasured) return { basis: 'metrics', usedCpuMilli: measured, percent };
  const added = int64ToNumber(unmeasuredRequests(node, basis.endUnixSeconds).cpuMilli);
  if (added === 0) return { basis: 'metrics', usedCpuMilli: measured, percent };
  const usedCpuMilli = measured + added;
  return { basis: 'metrics', usedCpuMilli, percent: percentOf(usedCpuMilli, capacity) };
}

type Outcome =
  | { readonly branch: 'no-metrics' | 'no-capacity' | 'no-power-model' }
  | {
      readonly branch: 'power' | 'above-capacity';
      readonly capacity: number;
      readonly model: PowerModel;
      readonly use: Use;
      readonly expectedPercent: number;
    };

/** What the pod would do to the node, or why that can't be told. */
export function outcomeOf(node: NodeInfo, state: State, settings: PeaksSettings): Outcome {
  const capacity = int64ToNumber(node.capacityCpuMilli);
  if (capacity === 0) return { branch: 'no-capacity' };
  const use = useOf(node, capacity, { basis: state, settings });
  if (use === undefined) return { branch: 'no-metrics' };
  const model = settings.models.get(node.name);
  if (model === undefined) return { branch: 'no-power-model' };
  const expectedPercent = percentOf(use.usedCpuMilli + state.podCpuMilli, capacity);
  const branch = expectedPercent > 100 ? 'above-capacity' : 'power';
  return { branch, capacity, model, use, expectedPercent };
}
