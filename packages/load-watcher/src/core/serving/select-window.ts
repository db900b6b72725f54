import type { WindowFigures } from '../figures/figures.js';

/**
 * The window that `/watcher` serves: the longest whose CPU and memory averages were answered; where none was, the
 * one with the most figures, of several the longest. Windows without nodes are never served.
 *
 * @param windows of those fresh enough, in any order.
 */
export function selectWindow<T extends { readonly figures: WindowFigures }>(
  windows: readonly T[],
): T | undefined {
  const longestFirst = windows
    .filter(({ figures }) => figures.nodes.size > 0)
    .sort((a, b) => seconds(b.figures) - seconds(a.figures));
  const complete = longestFirst.find(({ figures }) => figures.complete);
  if (complete !== undefined) return complete;
  let best: T | undefined;
  for (const window of longestFirst) {
    if (best === undefined || figureCount(window.figures) > figureCount(best.figures)) best = window;
  }
  return best;
}

/**
 * Whether new figures of a window take the place of the old: figures there must be, and an incomplete answer does not
 * push out a complete one that is still fresh.
 */
export function replaces(next: WindowFigures, fresh: WindowFigures | undefined): boolean {
  return next.nodes.size > 0 && (next.complete || fresh?.complete !== true);
}

function seconds(window: WindowFigures): number {
  return window.endUnixSeconds - window.startUnixSeconds;
}

function figureCount(window: WindowFigures): number {
  let count = 0;
  for (const { metrics } of window.nodes.values()) count += metrics.length;
  return count;
}
