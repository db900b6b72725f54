import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import { type CompiledProfile, compileProfile } from '../core/cycle/profile.js';
import type { PluginDefinition } from '../core/framework/plugin-definition.js';
import { signalPoliciesOf } from '../signals/signal-policy.js';
import { loadPoliciesOf } from './load-source.js';

/** The profiles by scheduler name, each plugin reading its own load source. */
export function compileProfiles(
  { profiles }: SchedulerConfig,
  definitions: readonly PluginDefinition[] = [],
): ReadonlyMap<string, CompiledProfile> {
  return new Map(
    profiles.map((profile) => {
      const loadSources = new Map(
        loadPoliciesOf(profile).flatMap(({ source, plugins }) => plugins.map((name) => [name, source.key])),
      );
      const signalSources = new Map(
        signalPoliciesOf(profile).map(({ plugin, source }) => [plugin, source.key]),
      );
      return [profile.schedulerName, compileProfile(profile, { loadSources, signalSources, definitions })];
    }),
  );
}

/** Key of the first load source by scheduler name, for profiles that look at load. */
export function loadSourceKeys({ profiles }: SchedulerConfig): ReadonlyMap<string, string> {
  return new Map(
    profiles.flatMap((profile) => {
      const [policy] = loadPoliciesOf(profile);
      return policy === undefined ? [] : [[profile.schedulerName, policy.source.key] as const];
    }),
  );
}
