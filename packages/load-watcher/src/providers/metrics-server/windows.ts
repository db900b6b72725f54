import { WINDOW_DURATIONS, WINDOW_SECONDS, type WindowDuration } from '@catamaran/model';
import { FigureTable } from '../../core/figures/figure-table.js';
import type { WindowFigures } from '../../core/figures/figures.js';
import type { RollingWindows } from '../../core/windows/rolling-windows.js';
import type { Interruptible } from '../../event-loop.js';
import type { NodeSample } from './decode.js';

/** Samples between two possible interruptions: well below a millisecond of work. */
const SAMPLES_PER_PIECE = 100;
const RESOURCES = ['CPU', 'Memory'] as const;
const SOURCE = 'metrics.k8s.io/v1beta1 nodes';
/** The Go service leaves the name empty. */
const NAMES = { CPU: '', Memory: '' } as const;

/**
 * The windows of this instant out of the watcher's own samples. A resource of a node has average and deviation once
 * its samples fill the window; until then its latest sample stands there, as the Go service always has it.
 */
export function* windowsOf(
  samples: readonly NodeSample[],
  rolling: RollingWindows,
  endMs: number,
): Interruptible<readonly WindowFigures[]> {
  const windows: WindowFigures[] = [];
  for (const duration of WINDOW_DURATIONS)
    windows.push(yield* windowOf(duration, samples, { rolling, endMs }));
  return windows;
}

function* windowOf(
  duration: WindowDuration,
  samples: readonly NodeSample[],
  context: { readonly rolling: RollingWindows; readonly endMs: number },
): Interruptible<WindowFigures> {
  const seconds = WINDOW_SECONDS[duration];
  const table = new FigureTable({ names: NAMES, rollup: duration });
  for (const [position, { node, percent, unixMs }] of samples.entries()) {
    if (position % SAMPLES_PER_PIECE === 0) yield;
    for (const resource of RESOURCES) {
      const latest = percent[resource];
      if (latest === undefined) continue;
      const known = context.rolling.statistics(node, resource, { seconds, endMs: context.endMs });
      if (known === undefined) {
        table.add({ node, resource, statistic: 'Latest', percent: latest, source: SOURCE });
      } else {
        table.add({ node, resource, statistic: 'AVG', percent: known.average, source: SOURCE });
        if (known.deviation === undefined) continue;
        table.add({ node, resource, statistic: 'STD', percent: known.deviation, source: SOURCE });
      }
    }
    table.sampledAt(node, unixMs);
  }
  const endUnixSeconds = Math.floor(context.endMs / 1000);
  return {
    duration,
    startUnixSeconds: endUnixSeconds - seconds,
    endUnixSeconds,
    complete: true,
    nodes: table.build(),
  };
}
