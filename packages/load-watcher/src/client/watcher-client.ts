import type { WatcherDocument } from '@catamaran/model';

/** Why no usable document came back. `no-data`: the watcher is up but has nothing to serve. */
export type WatcherFailureCode =
  | 'unreachable'
  | 'timeout'
  | 'no-data'
  | 'bad-status'
  | 'undecodable'
  | 'empty-document';

export interface WatcherFailure {
  readonly code: WatcherFailureCode;
  /** One sentence with address, status and remedy, fit for a log line. */
  readonly message: string;
}

/** What the client knows now. A failed refresh never replaces a good document: it only adds `lastFailure`. */
export interface WatcherState {
  readonly document: WatcherDocument | undefined;
  /** When `document` was received. */
  readonly receivedAtMs: number | undefined;
  /** Set while the newest attempt failed; cleared by the next success. */
  readonly lastFailure: WatcherFailure | undefined;
}

/**
 * Where a scheduler gets node utilisation from.
 *
 * Implementations: HttpWatcherClient (our load-watcher or the Go one), LibraryWatcherClient (the watcher in this
 * process, no port) and the in-memory one of testkit. All pass one conformance suite.
 */
export interface WatcherClient {
  /** The newest knowledge, at no cost. */
  current(): WatcherState;
  /** Fetches once. Concurrent calls share one fetch. Never rejects except with the signal's reason. */
  refresh(signal: AbortSignal): Promise<WatcherState>;
  /** Idempotent; ends fetches under way. */
  close(): Promise<void>;
}
