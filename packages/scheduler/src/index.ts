export {
  defaultSchedulerConfig,
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
export { refusalMessage, refusedFeature, softFeaturesIgnored } from './core/cycle/refused-feature.js';
export { scoreAll } from './core/cycle/score-all.js';
export type { Cycle, Rejection } from './core/framework/plugin.js';
export { PLUGIN_DEFINITIONS } from './core/plugins/plugin-definitions.js';
export {
  readTargetLoadPackingArgs,
  TARGET_LOAD_PACKING_DEFAULTS,
  type TargetLoadPackingArgs,
} from './core/plugins/target-load-packing/args.js';
export { ClusterState } from './core/state/cluster-state.js';
export type { AssignedPod, NodeInfo } from './core/state/node-info.js';
export { type PodInfo, podInfo } from './core/state/pod-info.js';
export type { Snapshot } from './core/state/snapshot.js';
export { createSchedulerApp } from './http/scheduler-app.js';
export type { DecisionLogOptions, DecisionRecord } from './service/decision-log.js';
export { type LoadSource, loadSources } from './service/load-source.js';
export { SchedulerService } from './service/scheduler-service.js';
export type { SchedulerServiceDeps, SchedulerServiceOptions } from './service/scheduler-service-options.js';
