import type { PluginDefinition } from '../framework/plugin-definition.js';
import { defaultBinder } from './default-binder/plugin.js';
import { interPodAffinity } from './inter-pod-affinity/plugin.js';
import { loadCeilingPlugin } from './load-ceiling/plugin.js';
import { loadVariationRiskBalancing } from './load-variation-risk-balancing/plugin.js';
import { lowRiskOverCommitment } from './low-risk-over-commitment/plugin.js';
import { nodeAffinity } from './node-affinity/plugin.js';
import { nodeName } from './node-name/plugin.js';
import { nodePorts } from './node-ports/plugin.js';
import { nodeResourcesBalancedAllocation } from './node-resources-balanced-allocation/plugin.js';
import { nodeResourcesFit } from './node-resources-fit/plugin.js';
import { nodeSignalsPlugin } from './node-signals/plugin.js';
import { nodeUnschedulable } from './node-unschedulable/plugin.js';
import { peaks } from './peaks/plugin.js';
import { taintToleration } from './taint-toleration/plugin.js';
import { targetLoadPacking } from './target-load-packing/plugin.js';
import { TRAFFIC_PLUGINS } from './traffic/plugin.js';

/** Every plugin that has code: those of kube-scheduler's default set in its order, ours after them. */
export const PLUGIN_DEFINITIONS: readonly PluginDefinition[] = [
  nodeName,
  nodeUnschedulable,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  interPodAffinity,
  nodeResourcesBalancedAllocation,
  defaultBinder,
  targetLoadPacking,
  loadVariationRiskBalancing,
  lowRiskOverCommitment,
  peaks,
  ...TRAFFIC_PLUGINS,
  nodeSignalsPlugin,
  loadCeilingPlugin,
];
