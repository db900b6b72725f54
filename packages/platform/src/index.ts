export type { Clock } from './clock/clock.js';
export { SystemClock } from './clock/system-clock.js';
export { VirtualClock } from './clock/virtual-clock.js';
export {
  type BindRequest,
  type ClusterApi,
  ClusterApiError,
  type ClusterApiErrorCode,
  type ListPage,
  type ListQuery,
  type PodStatusPatch,
  type ResourceKind,
  type ResourceTypes,
  type WatchEvent,
  type WatchQuery,
} from './kubernetes/cluster-api.js';
export { type LogFields, type Logger, silentLogger } from './log/logger.js';
