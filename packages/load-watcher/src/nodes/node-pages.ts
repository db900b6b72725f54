import type { Node } from '@catamaran/model';
import { type ClusterApi, ClusterApiError } from '@catamaran/platform';
import { nextTurn } from '../event-loop.js';

/** Of nodes that are at hand: about a millisecond of work if all of them have changed. */
const NODES_PER_PIECE = 200;

/**
 * The list of nodes, page by page.
 * @throws ClusterApiError
 */
export async function* nodePages(
  api: ClusterApi,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<readonly Node[]> {
  const seen = new Set<string>();
  let continueToken = '';
  do {
    const query = continueToken === '' ? { limit } : { limit, continueToken };
    const page = await api.list('nodes', query, signal);
    signal.throwIfAborted();
    yield page.items;
    continueToken = page.continueToken ?? '';
    if (seen.has(continueToken)) {
      throw new ClusterApiError(
        'invalid-answer',
        'GET /api/v1/nodes: the list goes round in circles, it names a page a second time',
      );
    }
    if (continueToken !== '') seen.add(continueToken);
  } while (continueToken !== '');
}

/** Nodes that are at hand, in pieces with turns of the event loop between them. */
export async function* inPieces(nodes: ReadonlyMap<string, Node>): AsyncGenerator<readonly Node[]> {
  const all = [...nodes.values()];
  for (let at = 0; at < all.length; at += NODES_PER_PIECE) {
    yield all.slice(at, at + NODES_PER_PIECE);
    await nextTurn();
  }
}
