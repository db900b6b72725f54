export { type NodeShape, nodeOf } from './builders/node-builder.js';
export { type PodShape, podOf } from './builders/pod-builder.js';
export { expectFailure } from './cluster-api/cluster-api-assertions.js';
export type { ClusterApiHarness } from './cluster-api/cluster-api-harness.js';
export { describeClusterApi } from './cluster-api/describe-cluster-api.js';
export { type Fault, FaultyClusterApi, type RecordedCall } from './cluster-api/faulty-cluster-api.js';
export {
  describeMetricsProvider,
  type MetricsProviderHarness,
  type SourceWorld,
} from './metrics-provider/describe-metrics-provider.js';
export { FakeDatadog } from './metrics-provider/fake-datadog.js';
export {
  FakePrometheus,
  type FakeSample,
  type PrometheusReply,
  type PrometheusRequest,
} from './metrics-provider/fake-prometheus.js';
export {
  FakeService,
  type HostMeasurement,
  type ServiceReply,
  type ServiceRequest,
} from './metrics-provider/fake-service.js';
export { FakeSignalFx } from './metrics-provider/fake-signalfx.js';
export { InMemoryMetricsProvider, type Utilisation } from './metrics-provider/in-memory-metrics-provider.js';
export { onFirstListener } from './process/on-first-listener.js';
export {
  describeWatcherClient,
  documentWithCpu,
  type WatcherClientHarness,
} from './watcher-client/describe-watcher-client.js';
export { InMemoryWatcherClient } from './watcher-client/in-memory-watcher-client.js';
