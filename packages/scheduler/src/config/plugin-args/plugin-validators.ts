import { PLUGIN_DEFINITIONS } from '../../core/plugins/plugin-definitions.js';
import type { PluginValidators } from './plugin-config.js';

/** Every plugin that has code reads its own arguments. */
export const PLUGIN_VALIDATORS: PluginValidators = new Map(
  PLUGIN_DEFINITIONS.map(({ name, readArgs }) => [name, readArgs]),
);
