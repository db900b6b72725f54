export { documentText } from './config/document-text.js';
export {
  convertSchedulerConfig,
  type LoadedConfig,
  loadSchedulerConfig,
} from './config/load-scheduler-config.js';
export { pluginValidators } from './config/plugin-args/plugin-validators.js';
export { expandPlugins, type ProfilePlugins } from './core/config/plugin-set.js';
export type { ProfileConfig, SchedulerConfig } from './core/config/scheduler-config.js';
export { decide } from './core/cycle/decide.js';
export type { Decision, Evaluation, NodeScore, RejectedNode } from './core/cycle/decision.js';
export { evaluate } from './core/cycle/evaluate.js';
export { type CompiledProfile, compileProfile, type ProfileSpec } from './core/cycle/profile.js';
export { scoreAll } from './core/cycle/score-all.js';
export type { Cycle, Rejection } from './core/framework/plugin.js';
export type { TargetLoadPackingArgs } from './core/plugins/target-load-packing/args.js';
export { ClusterState } from './core/state/cluster-state.js';
export type { AssignedPod, NodeInfo } from './core/state/node-info.js';
export { type PodInfo, podInfo } from './core/state/pod-info.js';
export type { Snapshot } from './core/state/snapshot.js';
export { createSchedulerApp } from './http/scheduler-app.js';
export { readPowerModelFile } from './process/power-model-file.js';
export { createSignalReaders } from './process/signal-readers.js';
export type { DecisionLogOptions, DecisionRecord } from './service/decision-log.js';
export type { Explanation } from './service/explanation.js';
export { type LoadSource, loadSources } from './service/load-source.js';
export { SchedulerService } from './service/scheduler-service.js';
export type { SchedulerServiceDeps, SchedulerServiceOptions } from './service/scheduler-service-options.js';
export {
  type SignalPolicy,
  type SignalSource,
  signalPoliciesOf,
  signalSources,
} from './signals/signal-policy.js';
export type { SignalReader } from './signals/signal-reader.js';
