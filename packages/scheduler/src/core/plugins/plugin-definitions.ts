import type { PluginDefinition } from '../framework/plugin-definition.js';

/** Every plugin that has code, in kube-scheduler's order of the default set, ours after it. */
export const PLUGIN_DEFINITIONS: readonly PluginDefinition[] = [];
