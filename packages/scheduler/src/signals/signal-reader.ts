import type { NodeVector, NodeVectorQuery } from '@catamaran/load-watcher';
import type { Node, Result } from '@catamaran/model';

/** Where signals are read; the load-watcher's `NodeVectorReader` is one. */
export interface SignalReader {
  /** The address, for people. */
  readonly address: string;
  /** All queries at once; the answers stand in their order. @throws the signal's reason. */
  read(
    wanted: { readonly queries: readonly NodeVectorQuery[]; readonly nodes: Iterable<Node> },
    signal: AbortSignal,
  ): Promise<readonly Result<NodeVector>[]>;
  close(): Promise<void>;
}
