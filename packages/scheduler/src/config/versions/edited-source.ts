import type { ListNode, MapNode, ScalarNode, SourceNode } from '../source-node.js';

type At = Pick<SourceNode, 'path' | 'line'>;

/** A value that nobody wrote; messages about it point where `at` stands. */
export function scalarNode(value: ScalarNode['value'], { path, line }: At): ScalarNode {
  return { kind: 'scalar', value, path, line };
}

export function listNode(items: readonly SourceNode[], { path, line }: At): ListNode {
  return { kind: 'list', items, path, line };
}

/** Undefined values are left out. */
export function mapNode(entries: Readonly<Record<string, SourceNode | undefined>>, at: At): MapNode {
  return withEntries({ kind: 'map', entries: new Map(), path: at.path, line: at.line }, entries);
}

/** The map with these entries set, in their old places where there were any; undefined removes one. */
export function withEntries(
  map: MapNode,
  changes: Readonly<Record<string, SourceNode | undefined>>,
): MapNode {
  const entries = new Map(map.entries);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) entries.delete(name);
    else entries.set(name, value);
  }
  return { ...map, entries };
}

/** A value inside a map; undefined where there is none, or no map. */
export function entryOf(node: SourceNode | undefined, name: string): SourceNode | undefined {
  return node?.kind === 'map' ? node.entries.get(name) : undefined;
}

/** Undefined for anything but a list. */
export function itemsOf(node: SourceNode | undefined): readonly SourceNode[] {
  return node?.kind === 'list' ? node.items : [];
}

export function textOf(node: SourceNode | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

/** The `name` of a plugin entry. */
export function nameOf(entry: SourceNode): string | undefined {
  return textOf(entryOf(entry, 'name'));
}

/** Entries of a list that name this plugin. */
export function named(list: readonly SourceNode[], name: string): SourceNode | undefined {
  return list.find((entry) => nameOf(entry) === name);
}
