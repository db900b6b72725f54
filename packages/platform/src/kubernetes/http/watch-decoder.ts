import type { KubernetesObject, Status } from '@catamaran/model';
import { ClusterApiError, type WatchEvent } from '../cluster-api.js';

const EXCERPT_LENGTH = 200;

/**
 * Reads one line of a watch.
 * @throws ClusterApiError 'invalid-answer' with the beginning of the line.
 */
export function decodeWatchLine<T extends KubernetesObject>(line: string): WatchEvent<T> {
  const { type, object } = readEnvelope(line);
  if (type === 'ERROR') return { type, status: object as unknown as Status };
  const metadata = object.metadata as
    | { readonly name?: unknown; readonly resourceVersion?: unknown }
    | undefined;
  if (type === 'BOOKMARK' && typeof metadata?.resourceVersion === 'string') {
    return { type, resourceVersion: metadata.resourceVersion };
  }
  if ((type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') && typeof metadata?.name === 'string') {
    return { type, object: object as unknown as T };
  }
  throw invalid(line);
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
