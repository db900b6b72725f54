import { ok, problem, type Result } from '../result.js';
import type { Metric, WatcherDocument } from './document.js';

type JsonMap = Readonly<Record<string, unknown>>;

/** A wrong type somewhere in the document. Caught at the door of this module. */
class WrongShape extends Error {}

/**
 * Reads what a load-watcher serves, ours or the Go one.
 *
 * Tolerated: any key and host order, unknown keys, missing keys, `null` for any value, and the bare words NaN, Inf
 * and Infinity. A metric without a finite value is left out; it is never read as 0. Absent times read as 0, absent
 * texts as empty. Keys are case-sensitive, so hosts under another name than `NodeMetricsMap` read as none.
 *
 * @returns the document, or a sentence that names the path of the first wrong type. Never throws.
 */
export function decodeWatcherDocument(text: string): Result<WatcherDocument> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  try {
    return ok(readDocument(parsed.value));
  } catch (error) {
    if (error instanceof WrongShape) return problem(error.message);
    throw error;
  }
}

function parseJson(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text) as unknown);
  } catch {
    try {
      return ok(JSON.parse(replaceNonFinite(text)) as unknown);
    } catch (error) {
      return problem(
        `not JSON: ${(error as Error).message}; the body begins ${JSON.stringify(text.slice(0, 80))}`,
      );
    }
  }
}

/** Bare NaN, +Inf, -Inf, Infinity outside strings become null. */
function replaceNonFinite(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|[+-]?\b(?:NaN|Inf(?:inity)?)\b/g, (token) =>
    token.startsWith('"') ? token : 'null',
  );
}

function readDocument(input: unknown): WatcherDocument {
  const root = asMap(input, 'document');
  const window = asMap(own(root, 'window'), 'window');
  const data = asMap(own(root, 'data'), 'data');
  return {
    timestampUnixSeconds: asInteger(own(root, 'timestamp'), 'timestamp'),
    window: {
      duration: asText(own(window, 'duration'), 'window.duration'),
      startUnixSeconds: asInteger(own(window, 'start'), 'window.start'),
      endUnixSeconds: asInteger(own(window, 'end'), 'window.end'),
    },
    source: asText(own(root, 'source'), 'source'),
    nodes: readNodes(own(data, 'NodeMetricsMap')),
  };
}

function readNodes(input: unknown): Map<string, readonly Metric[]> {
  const nodes = new Map<string, readonly Metric[]>();
  for (const [name, value] of Object.entries(asMap(input, 'data.NodeMetricsMap'))) {
    nodes.set(name, readMetrics(value, `data.NodeMetricsMap[${JSON.stringify(name)}]`));
  }
  return nodes;
}

function readMetrics(input: unknown, path: string): readonly Metric[] {
  const node = asMap(input, path);
  for (const key of ['tags', 'metadata']) asMap(own(node, key), `${path}.${key}`);
  const list = own(node, 'metrics') ?? [];
  if (!Array.isArray(list)) throw wrong(`${path}.metrics`, 'a list', list);
  const metrics: Metric[] = [];
  for (const [index, item] of list.entries()) {
    const metric = readMetric(item, `${path}.metrics[${index}]`);
    if (metric !== undefined) metrics.push(metric);
  }
  return metrics;
}

function readMetric(input: unknown, path: string): Metric | undefined {
  const map = asMap(input, path);
  const value = own(map, 'value');
  const metric = {
    name: asText(own(map, 'name'), `${path}.name`),
    type: asText(own(map, 'type'), `${path}.type`),
    operator: asText(own(map, 'operator'), `${path}.operator`),
    rollup: asText(own(map, 'rollup'), `${path}.rollup`),
  };
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw wrong(`${path}.value`, 'a number', value);
  return Number.isFinite(value) ? { ...metric, value } : undefined;
}

/** Own keys only, so that a host or key called `__proto__` or `constructor` is data like any other. */
function own(map: JsonMap, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function asMap(input: unknown, path: string): JsonMap {
  if (input === undefined || input === null) return {};
  if (typeof input !== 'object' || Array.isArray(input)) throw wrong(path, 'a map', input);
  return input as JsonMap;
}

function asText(input: unknown, path: string): string {
  if (input === undefined || input === null) return '';
  if (typeof input !== 'string') throw wrong(path, 'a string', input);
  return input;
}

function asInteger(input: unknown, path: string): number {
  if (input === undefined || input === null) return 0;
  if (typeof input !== 'number') throw wrong(path, 'a number of seconds', input);
  return Number.isFinite(input) ? Math.trunc(input) : 0;
}

function wrong(path: string, expected: string, got: unknown): WrongShape {
  const kind = Array.isArray(got) ? 'a list' : typeof got === 'object' ? 'a map' : JSON.stringify(got);
  return new WrongShape(`${path}: expected ${expected}, got ${String(kind).slice(0, 60)}`);
}
