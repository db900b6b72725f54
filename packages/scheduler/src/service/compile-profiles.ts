import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import { type CompiledProfile, compileProfile } from '../core/cycle/profile.js';
import { loadPolicyOf } from './load-source.js';

/** The profiles by scheduler name, each reading its own load source. */
export function compileProfiles({ profiles }: SchedulerConfig): ReadonlyMap<string, CompiledProfile> {
  return new Map(
    profiles.map((profile) => {
      const loadSource = loadPolicyOf(profile)?.source.key;
      return [profile.schedulerName, compileProfile(profile, loadSource === undefined ? {} : { loadSource })];
    }),
  );
}

/** Key of the load source by scheduler name, for profiles that look at load. */
export function loadSourceKeys({ profiles }: SchedulerConfig): ReadonlyMap<string, string> {
  return new Map(
    profiles.flatMap((profile) => {
      const policy = loadPolicyOf(profile);
      return policy === undefined ? [] : [[policy.schedulerName, policy.source.key] as const];
    }),
  );
}
