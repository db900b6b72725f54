import type { ScoreRange } from '../../framework/plugin.js';
import { goExp } from '../../numerics/go-exp.js';
import type { PowerModel } from './args.js';

const MAX_NODE_SCORE = 100;
/** Of a node of which nothing is known, where that is to be neutral. */
const NEUTRAL_SCORE = 50;
/** Costs are whole femto-watts: what Trimaran's int64 holds. */
const FEMTO_PER_UNIT = 1e15;
const COST_LIMIT = 2 ** 63;

/** Percent of the capacity in use, in Trimaran's order of operations. @param capacityCpuMilli above 0. */
export function percentOf(cpuMilli: number, capacityCpuMilli: number): number {
  return (100 * cpuMilli) / capacityCpuMilli;
}

/** Power that a node draws more at `expectedPercent` than now, in watts. @param nowFactor e^(k2 * percent now). */
export function powerJump({ k1, k2 }: PowerModel, expectedPercent: number, nowFactor: number): number {
  return k1 * (goExp(k2 * expectedPercent) - nowFactor);
}

/**
 * The jump as a whole number of femto-watts; +Infinity, which ranks behind everything, where it is no number or too
 * large for an int64.
 */
export function costOf(jumpWatts: number): number {
  const cost = Math.trunc(jumpWatts * FEMTO_PER_UNIT);
  return cost < COST_LIMIT ? cost : Number.POSITIVE_INFINITY;
}

/**
 * 100 for the lowest cost, 0 for the highest, rounded up between; 0 for all where no cost is other than 0. Nodes that
 * rank behind all others have 0, and the highest cost then has 1.
 */
export function scoreOfCost(cost: number, { min, max, someBehind }: ScoreRange): number {
  if (cost === Number.POSITIVE_INFINITY) return 0;
  if (Number.isNaN(cost)) return NEUTRAL_SCORE;
  if (min === 0 && max === 0 && !someBehind) return 0;
  if (max === min) return MAX_NODE_SCORE;
  const span = someBehind ? MAX_NODE_SCORE - 1 : MAX_NODE_SCORE;
  return MAX_NODE_SCORE - Math.trunc((span * (cost - min)) / (max - min));
}
