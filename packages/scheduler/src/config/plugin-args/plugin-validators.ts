import { readTargetLoadPackingArgs } from '../../core/plugins/target-load-packing/args.js';
import type { PluginValidators } from './plugin-config.js';

/** Plugins that check their own arguments, by name. */
export const PLUGIN_VALIDATORS: PluginValidators = new Map([
  ['TargetLoadPacking', readTargetLoadPackingArgs],
]);
