import {
  type Alias,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type LineCounter,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { scalarDoubt, tagDoubt } from './scalar-doubts.js';
import type { ListNode, MapNode, SourceNode, SourceProblem } from './source-node.js';

/** Stops a file whose aliases multiply. */
const MAX_NODES = 50_000;
export const MAX_DEPTH = 100;
export const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep: not a configuration`;

const MERGE_KEY = 'merge keys (<<) are not supported: write the fields out';

/** Turns what the YAML library found into a tree with places, aliases resolved. */
export class TreeBuilder {
  /** Why there is no tree that is worth reading. */
  readonly problems: SourceProblem[] = [];
  /** Values that may mean something else than they seem to: absent from the tree. */
  readonly doubts: SourceProblem[] = [];
  readonly #lines: LineCounter;
  /** Containers on the way from the root to here. */
  readonly #open = new Set<YAMLMap | YAMLSeq>();
  /** What each anchor names so far. */
  readonly #anchors = new Map<string, unknown>();
  #aliasesOpen = 0;
  #nodes = 0;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  /** @param keyLine where the key stands that holds this value; a list item or the root has none. */
  build(node: unknown, path: string, keyLine?: number): SourceNode | undefined {
    const line = keyLine ?? this.#line(node);
    if (isAlias(node)) return this.#alias(node, path, line);
    if (isNode(node) && !isAlias(node) && node.anchor !== undefined && this.#aliasesOpen === 0) {
      this.#anchors.set(node.anchor, node);
    }
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) {
      const tooMany = `more than ${MAX_NODES} values: not a configuration`;
      return this.#nodes === MAX_NODES + 1 ? this.#problem(path, line, tooMany) : undefined;
    }
    const doubt = tagDoubt(node) ?? scalarDoubt(node);
    if (doubt !== undefined) {
      this.doubts.push({ path, line, text: doubt });
      return { kind: 'scalar', value: null, path, line };
    }
    if (isMap(node) || isSeq(node)) return this.#nested(node, path, line);
    return { kind: 'scalar', value: isScalar(node) ? scalarValue(node.value) : null, path, line };
  }

  #alias(alias: Alias, path: string, line: number): SourceNode | undefined {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) {
      return this.#problem(
        path,
        line,
        `*${alias.source} names no anchor: write &${alias.source} at a value before it`,
      );
    }
    this.#aliasesOpen += 1;
    const built = this.build(target, path, line);
    this.#aliasesOpen -= 1;
    return built;
  }

  #nested(node: YAMLMap | YAMLSeq, path: string, line: number): SourceNode | undefined {
    if (this.#open.has(node)) return this.#problem(path, line, 'an alias contains itself');
    if (this.#open.size >= MAX_DEPTH) return this.#problem(path.slice(0, 100), line, TOO_DEEP);
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
    const keys = new Set<string>();
    for (const pair of pairs) {
      const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
      const keyLine = this.#line(pair.key);
      if (keys.has(key)) {
        this.#problem('', keyLine, `key "${key}" stands twice in one map: keep one of them`);
      }
      keys.add(key);
      const doubt = key === '<<' ? MERGE_KEY : tagDoubt(pair.key);
      if (doubt !== undefined) {
        this.doubts.push({ path, line: keyLine, text: doubt });
        continue;
      }
      const value = this.build(pair.value, path === '' ? key : `${path}.${key}`, keyLine);
      if (value !== undefined) entries.set(key, value);
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

  #problem(path: string, line: number, text: string): undefined {
    this.problems.push({ path, line, text });
    return undefined;
  }
}

function scalarValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  return value === null || value === undefined ? null : JSON.stringify(value);
}
