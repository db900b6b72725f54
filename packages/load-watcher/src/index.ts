export {
  ABSENCE_REASONS,
  type Absence,
  type AbsenceReason,
  type NodeFigures,
  type ProviderFetch,
  type WindowFigures,
} from './core/index.js';
export {
  createLoadWatcherApp,
  type LoadWatcherApp,
  type LoadWatcherAppDeps,
  type LoadWatcherAppOptions,
} from './http/load-watcher-app.js';
export { signalfxOptions } from './process/hosted-options.js';
export { type LibraryFilter, type LibraryProvider, libraryProviderSpec } from './process/library-spec.js';
export { loadWatcherOptions } from './process/options.js';
export { PROVIDER_NAMES, type ProviderName, parseProviderName } from './process/provider-spec.js';
export { parseBaseUrl } from './providers/base-url.js';
export { createProvider, type ProviderDeps, type ProviderSpec } from './providers/create-provider.js';
export {
  type MetricsProvider,
  ProviderError,
  type ProviderErrorCode,
  type ProviderHealth,
} from './providers/metrics-provider.js';
export { MetricsServerProvider } from './providers/metrics-server/client.js';
export {
  type NodeVector,
  type NodeVectorQuery,
  NodeVectorReader,
} from './providers/prometheus/node-vectors.js';
export { type LastRefresh, LoadWatcher } from './service/load-watcher.js';
export type { LoadWatcherDeps, LoadWatcherOptions } from './service/load-watcher-options.js';
export { loadWatcherMetricSpecs } from './service/watcher-metrics.js';
