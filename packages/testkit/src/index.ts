export { type NodeShape, nodeOf } from './builders/node-builder.js';
export { type PodShape, podOf } from './builders/pod-builder.js';
export { type Fault, FaultyClusterApi, type RecordedCall } from './cluster-api/faulty-cluster-api.js';
