import type { Pod, PodStatus } from '@catamaran/model';

const CONDITIONS = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady'];

/** What a kubelet writes once all containers of a pod run and are ready. */
export function runningStatus({ metadata, spec, status }: Pod, nowMs: number): PodStatus {
  const now = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
  const conditions = CONDITIONS.map((type) => ({ type, status: 'True', lastTransitionTime: now }));
  const others = status?.conditions?.filter(({ type }) => !CONDITIONS.includes(type)) ?? [];
  const containerStatuses = (spec.containers ?? []).map(({ name, image = '' }) => ({
    name,
    image,
    imageID: '',
    containerID: `embedded://${metadata.uid}/${name}`,
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: now } },
  }));
  return { phase: 'Running', startTime: now, conditions: [...others, ...conditions], containerStatuses };
}
