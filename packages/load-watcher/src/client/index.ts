export { HttpWatcherClient, type HttpWatcherClientOptions } from './http-watcher-client.js';
export { LibraryWatcherClient } from './library-watcher-client.js';
export { WatcherAddressError } from './watcher-address.js';
export type { WatcherClient, WatcherFailure, WatcherFailureCode, WatcherState } from './watcher-client.js';
