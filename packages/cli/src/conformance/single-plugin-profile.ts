import {
  type CompiledProfile,
  compileProfile,
  type ProfileSpec,
  pluginValidators,
} from '@catamaran/scheduler';

const VALIDATORS = pluginValidators();

export function isBuilt(plugin: string): boolean {
  return VALIDATORS.has(plugin);
}

/** A profile whose only score plugin is this one; undefined when its arguments are refused. */
export function singlePluginProfile(
  { plugin, args }: { readonly plugin: string; readonly args: unknown },
  {
    weight = 1,
    filter = [],
  }: { readonly weight?: number; readonly filter?: ProfileSpec['plugins']['filter'] } = {},
): CompiledProfile | undefined {
  const read = VALIDATORS.get(plugin)?.(args);
  if (read?.ok !== true) return undefined;
  return compileProfile({
    schedulerName: 'replay',
    percentageOfNodesToScore: undefined,
    plugins: { filter, score: [{ name: plugin, weight }] },
    pluginArgs: { [plugin]: read.value },
  });
}
