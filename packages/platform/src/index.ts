export { didYouMean, nearestName } from '@catamaran/model';
export type { Clock } from './clock/clock.js';
export { stopwatchMs } from './clock/stopwatch.js';
export { SystemClock } from './clock/system-clock.js';
export { VirtualClock } from './clock/virtual-clock.js';
export { formatDuration, parseDuration, roughDuration } from './config/durations.js';
export { encodingProblem } from './config/encoding-problem.js';
export { defaultText, helpText, type Program } from './config/help-text.js';
export { maskOptions, maskSecrets, maskText, maskUserPart } from './config/mask-secrets.js';
export type { OptionOrigin, OptionSources, StagedOptions } from './config/option-sources.js';
export {
  defineOptions,
  type OptionSpec,
  type OptionTable,
  type OptionType,
  type OptionValue,
  type OptionValues,
} from './config/option-spec.js';
export { type OptionsFile, parseOptionsFile, placeInFile } from './config/options-file.js';
export { readBoundedFile } from './config/read-bounded-file.js';
export { readTextFile, readTextFileSync } from './config/regular-file.js';
export { stageOptions } from './config/stage-options.js';
export { createExpressApp, type ExpressAppOptions, HttpError } from './http/express-app.js';
export { isNoTls, isUnknownAuthority, isUnreached } from './http/failure-codes.js';
export { isFromThisMachine } from './http/from-this-machine.js';
export { bearerTokenProblem, headerProblem } from './http/header-problem.js';
export { answerHealth, type HealthCheck, type HealthChecks, mountHealth } from './http/health.js';
export { type HttpServerOptions, type RunningHttpServer, startHttpServer } from './http/http-server.js';
export { ListenError, type ListenErrorCode } from './http/listen-error.js';
export { proxyFor, proxyVariables } from './http/proxy.js';
export {
  CertificateFiles,
  type CertificateFilesOptions,
  type ServerIdentity,
} from './http/tls/certificate-files.js';
export type { KeyPair, KeyPairPaths } from './http/tls/key-pair.js';
export type {
  AccessReviewApi,
  AccessVerdict,
  PathRequest,
  ReviewedUser,
} from './kubernetes/access-review/access-review.js';
export {
  type AccessRequest,
  DelegatedAccess,
  type DelegatedAccessOptions,
  type ShownCredentials,
} from './kubernetes/access-review/delegated-access.js';
export { HttpAccessReview } from './kubernetes/access-review/http-access-review.js';
export {
  type BindRequest,
  type ClusterApi,
  ClusterApiError,
  type ClusterApiErrorCode,
  type EventSeriesPatch,
  isClusterApiError,
  type ListPage,
  type ListQuery,
  type PodStatusPatch,
  type ResourceKind,
  type ResourceTypes,
  type WatchEvent,
  type WatchQuery,
} from './kubernetes/cluster-api.js';
export {
  type ClusterConnection,
  ClusterConnectionError,
} from './kubernetes/connection/cluster-connection.js';
export { loadClusterConnection } from './kubernetes/connection/load-cluster-connection.js';
export { HttpClusterApi } from './kubernetes/http/http-cluster-api.js';
export { InMemoryCluster } from './kubernetes/in-memory/in-memory-cluster.js';
export { type NodeUsage, nodeMetricsOf } from './kubernetes/node-usage.js';
export { projectNode, projectPod } from './kubernetes/projection.js';
export { Reflector } from './kubernetes/reflector/reflector.js';
export type { ReflectorDeps, ReflectorHandlers } from './kubernetes/reflector/reflector-options.js';
export { SharedRecovery } from './kubernetes/reflector/shared-recovery.js';
export { compareResourceVersions } from './kubernetes/resource-version.js';
export { createLogger, type LogLevel, logLevelOf } from './log/create-logger.js';
export { type LogFields, type Logger, silentLogger } from './log/logger.js';
export {
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
  type LabelValues,
  type MetricSpec,
  MetricsRegistry,
  type MetricType,
  type RegisteredMetric,
} from './metrics/metrics-registry.js';
export { compactHeap } from './process/compact-heap.js';
export { OperatorError, UsageError } from './process/operator-error.js';
export { type Main, type MainContext, type RunningProcess, runMain } from './process/run-main.js';
