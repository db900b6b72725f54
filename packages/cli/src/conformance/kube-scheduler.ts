import { isTerminalPod, type KubernetesObject, type Node, type Pod } from '@catamaran/model';
import { projectNode, projectPod } from '@catamaran/platform';
import {
  ClusterState,
  type CompiledProfile,
  compileProfile,
  type Evaluation,
  evaluate,
  type LoadedConfig,
  loadSchedulerConfig,
  podInfo,
} from '@catamaran/scheduler';
import type { Entry, Outcome, RecordingFormat } from './format.js';
import { isMap } from './json-map.js';
import { differences, type RecordedDecision } from './kube-scheduler-differences.js';

interface PointSet {
  readonly enabled?: readonly { readonly name: string; readonly weight?: number }[];
  readonly disabled?: readonly { readonly name: string }[];
}

interface RecordedProfile {
  readonly schedulerName?: string;
  readonly plugins?: Readonly<Record<string, PointSet>>;
  readonly pluginConfig?: readonly { readonly name: string; readonly args?: unknown }[];
}

interface RecordedConfig {
  readonly profiles?: readonly RecordedProfile[];
}

/** A small cluster, one pending pod, and what kube-scheduler decided. */
interface Scenario {
  readonly id: string;
  readonly config?: RecordedConfig;
  readonly objects: {
    readonly nodes?: readonly Node[];
    readonly pods?: readonly Pod[];
    readonly namespaces?: readonly KubernetesObject[];
  };
  readonly pod: Pod;
  readonly expect: RecordedDecision;
}

const DEFAULT_SCHEDULER = 'default-scheduler';
/** Nothing recorded depends on the time. */
const NOW_MS = Date.UTC(2026, 10, 30);

/** `kube-scheduler/`: decisions of the running kube-scheduler 1.37.2, one scenario a file or a line. */
export const kubeScheduler: RecordingFormat = {
  name: 'kube-scheduler',
  entries: (documents) => {
    const known = documents.every((line) => isMap(line) && 'objects' in line && 'expect' in line);
    if (documents.length === 0 || !known) return undefined;
    return (documents as readonly Scenario[]).map(toEntry);
  },
};

function toEntry(scenario: Scenario): Entry {
  return { id: scenario.id, run: () => replay(scenario) };
}

function replay(scenario: Scenario): Outcome {
  const { pod, expect } = scenario;
  if ((pod.spec.schedulingGates ?? []).length > 0) return gatedOutcome(expect);
  const profile = profileOf(scenario);
  const snapshot = clusterOf(scenario).snapshot(NOW_MS);
  const evaluation = evaluate({ pod: podInfo(projectPod(pod)), snapshot }, profile, 0);
  if (isRefusedByName(evaluation)) return { kind: 'passed' };
  const found = differences(evaluation, expect, profile.unbuilt);
  if (found.length === 0) return { kind: 'passed' };
  return {
    kind: 'failed',
    expected: found.map(({ what, expected }) => `${what} ${expected}`).join('; '),
    got: found.map(({ what, got }) => `${what} ${got}`).join('; '),
  };
}

/** A gated pod never reaches a cycle, so there is nothing to compare but that it was not tried. */
function gatedOutcome({ unschedulable }: RecordedDecision): Outcome {
  const reason = unschedulable?.reason ?? 'none';
  if (reason === 'SchedulingGated') return { kind: 'passed' };
  return { kind: 'failed', expected: `reason ${reason}`, got: 'reason SchedulingGated' };
}

function isRefusedByName({ decision }: Evaluation): boolean {
  return decision.kind === 'error' && decision.refusedFeature !== undefined;
}

function clusterOf({ objects, pod }: Scenario): ClusterState {
  const state = new ClusterState();
  for (const namespace of objects.namespaces ?? []) state.upsertNamespace(namespace);
  for (const node of objects.nodes ?? []) state.upsertNode(projectNode(node));
  for (const placed of objects.pods ?? []) {
    if (!isTerminalPod(placed)) state.upsertPod(projectPod(placed));
  }
  state.upsertPod(projectPod(pod));
  return state;
}

/**
 * The recorded configuration goes through the reader that a user's goes through. What that refuses to enable by name
 * because there is no code for it is taken out first: the rest of the profile still counts.
 */
function profileOf({ id, config, pod }: Scenario): CompiledProfile {
  const wanted = pod.spec.schedulerName ?? DEFAULT_SCHEDULER;
  const first = read(id, config ?? {});
  const unbuilt = new Set(
    first.ok ? [] : first.problems.flatMap((problem) => UNBUILT.exec(problem)?.[1] ?? []),
  );
  const loaded = first.ok ? first : read(id, withoutPlugins(config ?? {}, unbuilt));
  if (!loaded.ok) throw new Error(`the configuration is refused: ${loaded.problems.join('; ')}`);
  const profile = loaded.config.profiles.find(({ schedulerName }) => schedulerName === wanted);
  if (profile === undefined) throw new Error(`no profile is named "${wanted}"`);
  return compileProfile(profile);
}

const UNBUILT = /plugin "(\w+)" is not built yet/;

function read(id: string, config: RecordedConfig): LoadedConfig {
  const head = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
  return loadSchedulerConfig(JSON.stringify({ ...head, ...config }), id);
}

function withoutPlugins(config: RecordedConfig, names: ReadonlySet<string>): RecordedConfig {
  const profiles = (config.profiles ?? []).map((profile) => ({
    ...profile,
    plugins: Object.fromEntries(
      Object.entries(profile.plugins ?? {}).map(([point, set]) => [
        point,
        { ...set, enabled: (set.enabled ?? []).filter(({ name }) => !names.has(name)) },
      ]),
    ),
  }));
  return { ...config, profiles };
}
