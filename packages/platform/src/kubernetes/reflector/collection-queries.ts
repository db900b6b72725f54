import {
  ANSWER_TOO_LARGE,
  type ClusterApi,
  isClusterApiError,
  type ListPage,
  type ResourceKind,
  type ResourceTypes,
  type WatchQuery,
} from '../cluster-api.js';
import { dropManagedFields } from '../projection.js';
import type { ReflectorOptions } from './reflector-options.js';

const DEFAULT_PAGE_SIZE = 500;
const TARGET_PAGE_BYTES = 2 * 1024 * 1024;
const WATCH_SECONDS = { least: 240, most: 300 };

/**
 * The whole collection, page by page, each object projected as it comes.
 * @throws ClusterApiError 'gone' when the list took so long that its next page has expired: start again.
 */
export async function listAll<K extends ResourceKind>(
  options: ReflectorOptions<K>,
  api: ClusterApi,
  during: { readonly signal: AbortSignal; readonly onPage: () => void },
): Promise<{ readonly items: readonly ResourceTypes[K][]; readonly resourceVersion: string }> {
  const { kind, pageSize = DEFAULT_PAGE_SIZE } = options;
  const items: ResourceTypes[K][] = [];
  let continueToken: string | undefined;
  let limit = pageSize;
  for (;;) {
    const next = continueToken === undefined ? {} : { continueToken };
    const query = { limit, ...selectorsOf(options), ...next };
    const page = await api.list(kind, query, during.signal).catch((error: unknown) => {
      if (!isTooLarge(error) || limit <= 1) throw error;
    });
    during.signal.throwIfAborted();
    during.onPage();
    if (page === undefined) {
      limit = Math.floor(limit / 2);
      continue;
    }
    for (const item of page.items) items.push(projected(options, item));
    continueToken = page.continueToken;
    limit = nextLimit(page, pageSize);
    if (continueToken === undefined) return { items, resourceVersion: page.resourceVersion };
  }
}

function isTooLarge(error: unknown): boolean {
  return isClusterApiError(error) && error.reason === ANSWER_TOO_LARGE;
}

/** As many items as make a page that is quickly decoded, going by the size of the last ones. */
function nextLimit(page: ListPage<unknown>, pageSize: number): number {
  const { sizeBytes = 0, items } = page;
  if (sizeBytes <= TARGET_PAGE_BYTES) return pageSize;
  return Math.max(1, Math.min(pageSize, Math.floor((items.length * TARGET_PAGE_BYTES) / sizeBytes)));
}

/** `random` spreads the ends of many watches. */
export function watchQueryOf<K extends ResourceKind>(
  options: ReflectorOptions<K>,
  resourceVersion: string,
  random: () => number,
): WatchQuery {
  const { least, most } = WATCH_SECONDS;
  const timeoutSeconds = Math.round(least + random() * (most - least));
  return { resourceVersion, timeoutSeconds, ...selectorsOf(options) };
}

export function projected<K extends ResourceKind>(
  options: ReflectorOptions<K>,
  object: ResourceTypes[K],
): ResourceTypes[K] {
  return (options.project ?? dropManagedFields)(object);
}

function selectorsOf<K extends ResourceKind>(
  options: ReflectorOptions<K>,
): Pick<WatchQuery, 'fieldSelector' | 'labelSelector'> {
  const { fieldSelector, labelSelector } = options;
  return {
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}
