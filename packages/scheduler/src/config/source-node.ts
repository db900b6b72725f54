/** A parsed YAML or JSON value that remembers where it stands. */
export type SourceNode = MapNode | ListNode | ScalarNode;

interface Place {
  /** As people write it: `profiles[0].plugins`. Empty for the whole file. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
}

export interface MapNode extends Place {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, SourceNode>;
}

export interface ListNode extends Place {
  readonly kind: 'list';
  readonly items: readonly SourceNode[];
}

export interface ScalarNode extends Place {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

export interface SourceProblem {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** What to do about it, for those who are not doing it. */
  readonly remedy?: string;
  /** Lines that follow the message. */
  readonly appendix?: string;
}

/** The value without its places, as `JSON.parse` would give it. */
export function plainValue(node: SourceNode): unknown {
  if (node.kind === 'scalar') {
    return node.value;
  }
  if (node.kind === 'list') {
    return node.items.map(plainValue);
  }
  return Object.fromEntries([...node.entries].map(([key, value]) => [key, plainValue(value)]));
}

/** The node at a relative path such as `metricProvider.type` or `resources[0].name`; the nearest existing parent if absent. */
export function nodeAt(node: SourceNode, relativePath: string): SourceNode {
  let current = node;
  for (const step of relativePath.split(/[.[\]]+/).filter((part) => part !== '')) {
    const next =
      current.kind === 'map'
        ? current.entries.get(step)
        : current.kind === 'list'
          ? current.items[Number(step)]
          : undefined;
    if (next === undefined) {
      return current;
    }
    current = next;
  }
  return current;
}

/** Where a field of the file stands; the file's beginning where it is absent. */
export function placeOf(root: MapNode, field: string): Pick<SourceNode, 'path' | 'line'> {
  return { path: field, line: root.entries.get(field)?.line ?? root.line };
}
