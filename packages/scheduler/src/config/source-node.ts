import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

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
}

/** Far above any real config; stops a file whose aliases multiply. */
const MAX_NODES = 50_000;

const TEMPLATE = /\{\{.*?\}\}|\{%.*?%\}/;

/**
 * Reads one YAML document (JSON is a subset).
 * @returns the tree, or every syntax problem with its line; a file without content has `root` undefined.
 */
export function parseSource(text: string): {
  readonly root?: SourceNode;
  readonly problems: readonly SourceProblem[];
} {
  const templates = templateProblems(text);
  if (templates.length > 0) {
    return { problems: templates };
  }
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  if (!Array.isArray(documents) || documents.length === 0) {
    return { problems: [] };
  }
  const problems = documents.flatMap((document) =>
    document.errors.map((error) => ({
      path: '',
      line: lines.linePos(error.pos[0]).line,
      text: syntaxText(error.code, text.slice(error.pos[0]), error.message),
    })),
  );
  const filled = documents.filter((document) => document.contents !== null);
  const [first, second] = filled;
  if (second !== undefined) {
    const line = lines.linePos(second.range[0]).line;
    problems.push({
      path: '',
      line,
      text: 'a second document begins here: one file holds one configuration',
    });
  }
  if (problems.length > 0 || first === undefined) {
    return { problems };
  }
  const builder = new TreeBuilder(lines, (alias) => (isAlias(alias) ? alias.resolve(first) : undefined));
  const root = builder.build(first.contents, '');
  return builder.problems.length > 0 || root === undefined
    ? { problems: builder.problems }
    : { root, problems: [] };
}

function templateProblems(text: string): SourceProblem[] {
  return text.split('\n').flatMap((line, index) => {
    const found = TEMPLATE.exec(line.replace(/(^|\s)#.*$/, ''));
    return found === null
      ? []
      : [
          {
            path: '',
            line: index + 1,
            text: `unrendered template ${found[0]}: render the file before it is read`,
          },
        ];
  });
}

function syntaxText(code: string, rest: string, message: string): string {
  if (code === 'DUPLICATE_KEY') {
    const key = /^["']?([^\s:"',}]*)/.exec(rest)?.[1] ?? '';
    return `key "${key}" stands twice in one map: keep one of them`;
  }
  return message.replace(/\s+/g, ' ').trim();
}

class TreeBuilder {
  readonly problems: SourceProblem[] = [];
  readonly #lines: LineCounter;
  readonly #resolve: (alias: Node) => Node | undefined;
  readonly #open = new Set<Node>();
  #nodes = 0;

  constructor(lines: LineCounter, resolve: (alias: Node) => Node | undefined) {
    this.#lines = lines;
    this.#resolve = resolve;
  }

  /** @param keyLine where the key stands that holds this value; a list item or the root has none. */
  build(node: unknown, path: string, keyLine?: number): SourceNode | undefined {
    const resolved = isAlias(node) ? this.#resolve(node) : node;
    const line = keyLine ?? this.#line(resolved);
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) {
      if (this.#nodes === MAX_NODES + 1) {
        this.problems.push({ path, line, text: `more than ${MAX_NODES} values: not a configuration` });
      }
      return undefined;
    }
    if (isMap(resolved) || isSeq(resolved)) {
      return this.#nested(resolved, path, line);
    }
    return { kind: 'scalar', value: isScalar(resolved) ? scalarValue(resolved.value) : null, path, line };
  }

  #nested(node: YAMLMap | YAMLSeq, path: string, line: number): SourceNode | undefined {
    if (this.#open.has(node)) {
      this.problems.push({ path, line, text: 'an alias contains itself' });
      return undefined;
    }
    this.#open.add(node);
    const built = isMap(node) ? this.#map(node.items, path, line) : this.#list(node.items, path, line);
    this.#open.delete(node);
    return built;
  }

  #map(
    pairs: readonly { readonly key: unknown; readonly value: unknown }[],
    path: string,
    line: number,
  ): MapNode {
    const entries = new Map<string, SourceNode>();
    for (const pair of pairs) {
      const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
      const value = this.build(pair.value, path === '' ? key : `${path}.${key}`, this.#line(pair.key));
      if (value !== undefined) {
        entries.set(key, value);
      }
    }
    return { kind: 'map', entries, path, line };
  }

  #list(items: readonly unknown[], path: string, line: number): ListNode {
    const nodes = items.map((item, index) => this.build(item, `${path}[${index}]`));
    return { kind: 'list', items: nodes.filter((node) => node !== undefined), path, line };
  }

  #line(node: unknown): number {
    const start = isNode(node) ? node.range?.[0] : undefined;
    return start === undefined ? 1 : this.#lines.linePos(start).line;
  }
}

function scalarValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  return value === null || value === undefined ? null : JSON.stringify(value);
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
