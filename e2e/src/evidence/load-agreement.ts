import type { Node, WatcherDocument } from '@catamaran/model';
import type { LoadModel } from '@catamaran/simulator';

/** Percentage points by which a figure may differ: sources average over a scrape interval at least. */
const TOLERANCE = { CPU: 0.5, Memory: 0.1 };

/** Each figure of the document that is not what the load model says now, one sentence each; and each missing one. */
export function disagreements(
  document: WatcherDocument,
  nodes: readonly Node[],
  model: LoadModel,
): readonly string[] {
  const nowMs = Date.now();
  return nodes.flatMap((node) => {
    const { name } = node.metadata;
    const use = model.usage(name, nowMs);
    const cores = Number(node.status?.capacity?.cpu);
    const gibibytes = Number.parseInt(String(node.status?.capacity?.memory), 10);
    const expected = {
      CPU: ((use?.cpuMilli ?? Number.NaN) / (cores * 1000)) * 100,
      Memory: ((use?.memoryBytes ?? Number.NaN) / (gibibytes * 2 ** 30)) * 100,
    };
    return (['CPU', 'Memory'] as const).flatMap((type) => {
      const metric = document.nodes
        .get(name)
        ?.find(
          ({ type: candidate, operator }) =>
            candidate === type && (operator === 'AVG' || operator === 'Latest'),
        );
      const isClose = Math.abs((metric?.value ?? Number.NaN) - expected[type]) <= TOLERANCE[type];
      return isClose ? [] : [`${name}: ${type} is ${metric?.value}, the load model has ${expected[type]}`];
    });
  });
}
