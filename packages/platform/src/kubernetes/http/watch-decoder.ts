import type { KubernetesObject, Status } from '@catamaran/model';
import { ClusterApiError, type WatchEvent } from '../cluster-api.js';
import { hasName } from './nameless-objects.js';

const EXCERPT_LENGTH = 200;

/** An event whose object can't be told from others. */
export interface NamelessEvent {
  readonly type: 'NAMELESS';
  readonly object: unknown;
}

const CHANGES: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED']);

/**
 * Reads one line of a watch.
 * @throws ClusterApiError 'invalid-answer' with the beginning of the line.
 */
export function decodeWatchLine<T extends KubernetesObject>(line: string): WatchEvent<T> | NamelessEvent {
  const { type, object } = readEnvelope(line);
  if (type === 'ERROR') return { type, status: object as unknown as Status };
  if (type === 'BOOKMARK') {
    const metadata = object.metadata as { readonly resourceVersion?: unknown } | undefined;
    if (typeof metadata?.resourceVersion !== 'string') throw invalid(line);
    return { type, resourceVersion: metadata.resourceVersion };
  }
  if (!CHANGES.has(type)) throw invalid(line);
  if (!hasName(object)) return { type: 'NAMELESS', object };
  return { type: type as 'ADDED' | 'MODIFIED' | 'DELETED', object: object as unknown as T };
}

function readEnvelope(line: string): { readonly type: unknown; readonly object: Record<string, unknown> } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (error) {
    throw invalid(line, error);
  }
  if (!isRecord(parsed) || !isRecord(parsed.object)) throw invalid(line);
  return { type: parsed.type, object: parsed.object };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(line: string, cause?: unknown): ClusterApiError {
  return new ClusterApiError('invalid-answer', `not a watch event: ${line.slice(0, EXCERPT_LENGTH)}`, {
    cause,
  });
}
