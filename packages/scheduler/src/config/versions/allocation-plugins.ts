import type { Report } from '../reading.js';
import { type MapNode, nodeAt, type SourceNode } from '../source-node.js';
import {
  entryOf,
  itemsOf,
  listNode,
  mapNode,
  named,
  nameOf,
  scalarNode,
  withEntries,
} from './edited-source.js';

/** Score plugins of v1beta1 that are strategies of NodeResourcesFit since, by name. */
export const ALLOCATION_PLUGINS: ReadonlyMap<string, string> = new Map([
  ['NodeResourcesLeastAllocated', 'LeastAllocated'],
  ['NodeResourcesMostAllocated', 'MostAllocated'],
  ['RequestedToCapacityRatio', 'RequestedToCapacityRatio'],
]);

const BY_DEFAULT = 'NodeResourcesLeastAllocated';
const FIT = 'NodeResourcesFit';

export interface AllocationStrategy {
  /** The `score` point in v1; undefined where it stays as it is. */
  readonly score: MapNode | undefined;
  /** The one of these plugins that scores. */
  readonly active: string | undefined;
}

/**
 * Maps the allocation plugins of a v1beta1 `score` point to NodeResourcesFit. v1 has one strategy a profile, so more
 * than one of them is a problem.
 */
export function convertAllocation(
  score: SourceNode | undefined,
  plugins: MapNode,
  report: Report,
): AllocationStrategy {
  const [enabled, disabled] = [itemsOf(entryOf(score, 'enabled')), itemsOf(entryOf(score, 'disabled'))];
  const chosen = enabled.filter((entry) => ALLOCATION_PLUGINS.has(nameOf(entry) ?? ''));
  const [first, second] = chosen;
  const isOff = named(disabled, '*') !== undefined || named(disabled, BY_DEFAULT) !== undefined;
  const other = first !== undefined && nameOf(first) !== BY_DEFAULT ? first : second;
  if (second !== undefined || (other !== undefined && !isOff)) {
    report.problem(nodeAt(other ?? plugins, 'name'), tooMany(nameOf(other ?? plugins), chosen, isOff));
  }
  const active = first === undefined ? (isOff ? undefined : BY_DEFAULT) : nameOf(first);
  if (score?.kind !== 'map' || (chosen.length === 0 && named(disabled, BY_DEFAULT) === undefined)) {
    return { score: undefined, active };
  }
  return { score: fitInstead(score, { enabled, disabled, active }), active };
}

function tooMany(name: string | undefined, chosen: readonly SourceNode[], isOff: boolean): string {
  const others = chosen.map(nameOf).filter((each) => each !== name);
  const beside = isOff || others.length > 0 ? others : [BY_DEFAULT];
  return `"${name}" beside ${beside.join(' and ') || 'itself'} can't be kept: v1 has one strategy of ${FIT} a profile, so leave one enabled${
    isOff ? '' : ` and disable ${BY_DEFAULT}`
  }`;
}

function fitInstead(
  score: MapNode,
  {
    enabled,
    disabled,
    active,
  }: {
    readonly enabled: readonly SourceNode[];
    readonly disabled: readonly SourceNode[];
    readonly active: string | undefined;
  },
): MapNode {
  const renamed = enabled.map((entry) =>
    ALLOCATION_PLUGINS.has(nameOf(entry) ?? '') && entry.kind === 'map'
      ? withEntries(entry, { name: scalarNode(FIT, nodeAt(entry, 'name')) })
      : entry,
  );
  const off = disabled.flatMap((entry) => {
    if (!ALLOCATION_PLUGINS.has(nameOf(entry) ?? '')) return [entry];
    // Only the default one of them was there to be disabled.
    return nameOf(entry) === BY_DEFAULT && active === undefined
      ? [mapNode({ name: scalarNode(FIT, nodeAt(entry, 'name')) }, entry)]
      : [];
  });
  return withEntries(score, {
    ...listEntry('enabled', renamed, score),
    ...listEntry('disabled', off, score),
  });
}

/** Written only where there was a list. */
function listEntry(
  field: 'enabled' | 'disabled',
  items: readonly SourceNode[],
  score: MapNode,
): Readonly<Record<string, SourceNode | undefined>> {
  const given = score.entries.get(field);
  if (given === undefined) return {};
  return { [field]: items.length === 0 ? undefined : listNode(items, given) };
}
