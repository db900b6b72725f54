import { ClusterApiError, type ListPage } from '../cluster-api.js';

/**
 * One page of a list, as it came.
 * @throws ClusterApiError 'invalid-answer' for anything that is no list.
 */
export function readPage<T>(answer: unknown): ListPage<T> {
  const list = answer as {
    readonly items?: readonly T[] | null;
    readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  } | null;
  // Go writes an empty list as null.
  const items = list?.items ?? [];
  if (list?.metadata === undefined || !Array.isArray(items)) {
    const excerpt = JSON.stringify(answer).slice(0, 200);
    throw new ClusterApiError('invalid-answer', `expected a list with items and metadata, got ${excerpt}`);
  }
  const { resourceVersion = '', continue: continueToken } = list.metadata;
  return {
    items,
    resourceVersion,
    ...(continueToken === undefined || continueToken === '' ? {} : { continueToken }),
  };
}
