import type { RowKernel } from '../framework/plugin.js';
import type { NodeInfo } from '../state/node-info.js';
import { type LoadBasis, NEUTRAL_SCORE, refuseMissing } from './load-basis.js';

/**
 * The score of a plugin whose kernel can tell all that there is to tell: NaN means that nothing was measured.
 *
 * @throws ScoreError when the arguments want one for a node without figures.
 */
export function measuredScore<State extends LoadBasis>(
  plugin: string,
  kernel: RowKernel<State>,
  { node, state }: { readonly node: NodeInfo; readonly state: State },
): number {
  const row = new Float64Array(kernel.width);
  kernel.digest(node, state, row);
  const score = kernel.value(state, row, 0);
  if (!Number.isNaN(score)) return score;
  refuseMissing(plugin, node, { missing: state.missing, figure: 'CPU or memory' });
  return state.missing === 'skip' ? NEUTRAL_SCORE : 0;
}
