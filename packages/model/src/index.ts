export { LOAD_CEILING_ANNOTATION } from './kubernetes/annotations.js';
export type { KubernetesEvent, ObjectReference } from './kubernetes/event.js';
export type { Lease } from './kubernetes/lease.js';
export type {
  KubernetesObject,
  ObjectMeta,
  OwnerReference,
  ResourceList,
  Status,
} from './kubernetes/meta.js';
export type {
  ContainerImage,
  Node,
  NodeAddress,
  NodeCondition,
  NodeMetricsObject,
  Taint,
  TaintEffect,
} from './kubernetes/node.js';
export type {
  Affinity,
  Container,
  ContainerPort,
  ContainerStatus,
  LabelSelector,
  LabelSelectorRequirement,
  NodeAffinity,
  NodeSelectorTerm,
  Pod,
  PodAffinity,
  PodAffinityTerm,
  PodCondition,
  PodSpec,
  PodStatus,
  ResourceRequirements,
  Toleration,
  TopologySpreadConstraint,
  Volume,
} from './kubernetes/pod.js';
export { isTerminalPod, podKey } from './kubernetes/pod.js';
export { didYouMean, nearestName, squeeze } from './nearest-name.js';
export {
  addInt64,
  INT64_MAX,
  INT64_MIN,
  type Int64,
  int64ToNumber,
  maxInt64,
  mulDivInt64,
  subInt64,
  toInt64,
} from './quantity/int64.js';
export {
  addQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  quantityMilliValue,
  quantityValue,
} from './quantity/quantity.js';
export { type ContainerAmounts, containerAmounts } from './resources/container-amounts.js';
export {
  type CpuDemand,
  DEFAULT_CPU_MILLI,
  DEFAULT_MEMORY_BYTES,
  type PodAmounts,
  podAmounts,
  scoredRequests,
} from './resources/pod-amounts.js';
export {
  addAmounts,
  maxAmounts,
  NO_AMOUNTS,
  type QuantityProblem,
  type ResourceAmounts,
  readAmounts,
} from './resources/resource-amounts.js';
export { ok, problem, type Result } from './result.js';
export { decodeWatcherDocument } from './watcher-document/decode.js';
export {
  type Metric,
  type MetricOperator,
  type MetricType,
  type WatcherDocument,
  WINDOW_DURATIONS,
  WINDOW_SECONDS,
  type WindowDuration,
} from './watcher-document/document.js';
export {
  type EncodedWatcherDocument,
  encodeWatcherDocument,
  encodeWatcherFrame,
  encodeWatcherNode,
  encodeWatcherParts,
} from './watcher-document/encode.js';
