import type { PluginValidators } from './plugin-config.js';

/** Plugins that check their own arguments, by name. */
export const PLUGIN_VALIDATORS: PluginValidators = new Map();
