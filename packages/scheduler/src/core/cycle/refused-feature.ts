import type { Pod, PodSpec } from '@catamaran/model';
import { sentence } from '../objects/read-object.js';
import type { PodInfo } from '../state/pod-info.js';
import { unknownField } from './known-fields.js';

/** Volume sources that do not tie a pod to nodes. */
export const FREE_VOLUME_SOURCES: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'hostPath',
  'image',
  'nfs',
  'projected',
  'secret',
]);

const REMEDY =
  'leave such pods to kube-scheduler (spec.schedulerName), which will be able to use this scheduler as its extender; that mode is not built yet';

/**
 * The first feature the pod uses that we can't honour, named with its path; undefined when there is none.
 *
 * @param profile what the profile adds: a hard default spreading constraint concerns pods without one of their own.
 */
export function refusedFeature(
  pod: Pod,
  profile: { readonly hardDefaultSpread: boolean } = { hardDefaultSpread: false },
): string | undefined {
  const { spec } = pod;
  return (
    refusedClaim(spec) ??
    refusedAffinity(spec) ??
    refusedSpread(spec, profile.hardDefaultSpread) ??
    refusedVolume(spec) ??
    refusedNodeFeature(spec) ??
    refusedField(spec)
  );
}

/**
 * A field that decides where the pod may run, and is not of the type it must have or no amount; undefined when there is
 * none. Status aside: nothing there says what a pod that is on no node asks for.
 */
export function damagedField({ damage, problems }: Pick<PodInfo, 'damage' | 'problems'>): string | undefined {
  const first = damage.find(isOfSpec) ?? problems.find(isOfSpec);
  return first === undefined ? undefined : `malformed field ${sentence(first)}`;
}

function isOfSpec({ path }: { readonly path: string }): boolean {
  return path !== 'status' && !path.startsWith('status.');
}

/** The condition's and event's text for a refused pod. */
export function refusalMessage(feature: string): string {
  return `not supported by this scheduler: ${feature}; ${REMEDY}`;
}

function refusedClaim(spec: PodSpec): string | undefined {
  if ((spec.resourceClaims ?? []).length > 0) return 'resource claims (spec.resourceClaims)';
  if (spec.schedulingGroup !== undefined && spec.schedulingGroup !== null) {
    return 'pod groups (spec.schedulingGroup)';
  }
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  if ((spec.resources?.claims ?? []).length > 0) return 'resource claims (spec.resources.claims)';
  const claiming = containers.find(({ resources }) => (resources?.claims ?? []).length > 0);
  return claiming === undefined ? undefined : `resource claims (container ${claiming.name})`;
}

function refusedAffinity({ affinity }: PodSpec): string | undefined {
  if (affinity === undefined || affinity === null) return undefined;
  if ((affinity.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0) {
    return 'required pod affinity (spec.affinity.podAffinity)';
  }
  if ((affinity.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0) {
    return 'required pod anti-affinity (spec.affinity.podAntiAffinity)';
  }
  return undefined;
}

function refusedSpread(spec: PodSpec, hardDefault: boolean): string | undefined {
  const constraints = spec.topologySpreadConstraints ?? [];
  if (constraints.some(({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway')) {
    return 'hard topology spreading (spec.topologySpreadConstraints with DoNotSchedule)';
  }
  if (hardDefault && constraints.length === 0) {
    return "hard default topology spreading (the profile's PodTopologySpread defaultConstraints)";
  }
  return undefined;
}

function refusedVolume({ volumes = [] }: PodSpec): string | undefined {
  for (const { name, ...sources } of volumes ?? []) {
    const held = Object.keys(sources).find(
      (source) =>
        !FREE_VOLUME_SOURCES.has(source) && sources[source] !== undefined && sources[source] !== null,
    );
    if (held !== undefined) return `${held} volumes (volume ${name})`;
  }
  return undefined;
}

/** What kube-scheduler's NodeDeclaredFeatures would ask of a node. */
function refusedNodeFeature(spec: PodSpec): string | undefined {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const restarting = containers.find((container) => {
    const { restartPolicyRules } = container as { readonly restartPolicyRules?: unknown };
    return (
      Array.isArray(restartPolicyRules) &&
      restartPolicyRules.some((rule: { readonly action?: unknown } | null) => rule?.action !== 'Restart')
    );
  });
  if (restarting !== undefined) {
    return `restart rules that need a node feature (container ${restarting.name}, restartPolicyRules)`;
  }
  if (spec.hostUsers === false && spec.hostNetwork === true) {
    return 'user namespaces together with the host network (spec.hostUsers)';
  }
  return undefined;
}

function refusedField(spec: PodSpec): string | undefined {
  const unknown = unknownField(spec);
  return unknown === undefined ? undefined : `unknown field ${unknown}`;
}

/** Soft wishes of the pod that we don't look at; they never make a placement wrong, only less liked. */
export function softFeaturesIgnored(pod: Pod): readonly string[] {
  const { affinity, topologySpreadConstraints = [] } = pod.spec;
  const ignored: string[] = [];
  if ((affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0) {
    ignored.push('preferred pod affinity');
  }
  if ((affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0) {
    ignored.push('preferred pod anti-affinity');
  }
  if (
    (topologySpreadConstraints ?? []).some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')
  ) {
    ignored.push('soft topology spreading');
  }
  return ignored;
}
