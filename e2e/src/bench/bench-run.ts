import type { Pod } from '@catamaran/model';
import { podOf } from '@catamaran/testkit';
import { inParallel } from '../control-plane/admin-client.js';
import { ControlPlane } from '../control-plane/control-plane.js';
import { createNamespace } from '../control-plane/kube-scheduler.js';
import { applyShippedRoles } from '../control-plane/service-account.js';
import { bindingTimes } from '../evidence/audit-log.js';
import { usageOf } from '../evidence/process-usage.js';
import { nodeName, plannedNode } from '../nodes/cluster-plan.js';
import { Teardown } from '../process/teardown.js';
import { until } from '../process/until.js';
import { type Contender, SCHEDULER_NAMES, startContender } from './contenders.js';

export interface BenchCase {
  readonly nodes: number;
  readonly pods: number;
  /** All pods alike, or each with requests of its own. */
  readonly alike: boolean;
}

export interface BenchFigures {
  readonly podsPerSecond: number;
  /** Of the scheduler. */
  readonly peakMebibytes: number;
  /** From its start until the last pod is bound. */
  readonly cpuSeconds: number;
  /** Of kube-apiserver and etcd together, in the same time. */
  readonly serverCpuSeconds: number;
  /** From the scheduler's start until the last pod is bound. */
  readonly seconds: number;
}

const NAMESPACE = 'bench';
const AT_ONCE = 32;
const TIMEOUT_MS = 300_000;

/**
 * One run on a control plane of its own: the pods are there first, then the scheduler starts.
 * @param profileFolder where a CPU profile is written, which slows it down a little.
 */
export async function benchRun(
  contender: Contender,
  size: BenchCase,
  profileFolder?: string,
): Promise<BenchFigures> {
  const teardown = new Teardown();
  try {
    const plane = await benchPlane(teardown, size.nodes);
    const pods = benchPods(size, SCHEDULER_NAMES[contender]);
    await inParallel(pods, AT_ONCE, (pod) => plane.admin.create(PODS_PATH, pod));
    const startedMs = performance.now();
    const serverBefore = await serverCpuSeconds(plane);
    const program = await startContender(plane, contender, { namespace: NAMESPACE, profileFolder });
    await untilNoneWaits(plane);
    const seconds = (performance.now() - startedMs) / 1000;
    const usage = await usageOf(program.pid);
    const serverUsed = (await serverCpuSeconds(plane)) - serverBefore;
    const boundMs = await bindingTimes(plane.auditLog);
    if (boundMs.length !== size.pods) throw new Error(`${boundMs.length} of ${size.pods} pods were bound`);
    return { podsPerSecond: rateOf(boundMs), ...usage, serverCpuSeconds: serverUsed, seconds };
  } finally {
    await teardown.run();
  }
}

export const PODS_PATH = `/api/v1/namespaces/${NAMESPACE}/pods`;

/** A control plane with that many nodes, without taints. */
export async function benchPlane(teardown: Teardown, nodeCount: number): Promise<ControlPlane> {
  const plane = await ControlPlane.start(teardown);
  await applyShippedRoles(plane);
  await createNamespace(plane.admin, NAMESPACE);
  const nodes = Array.from({ length: nodeCount }, (_, index) => {
    const node = plannedNode(index, { ip: '127.0.1.1', kubeletPort: 1 });
    return { ...node, metadata: { ...node.metadata, name: nodeName(index) }, spec: {} };
  });
  await inParallel(nodes, AT_ONCE, (node) => plane.admin.create('/api/v1/nodes', node));
  return plane;
}

export function benchPods(size: Pick<BenchCase, 'pods' | 'alike'>, schedulerName: string): readonly Pod[] {
  return Array.from({ length: size.pods }, (_, index) => {
    const requests = size.alike
      ? { cpu: '100m', memory: '128Mi' }
      : { cpu: `${50 + (index % 997)}m`, memory: `${64 + Math.floor(index / 997)}Mi` };
    return podOf(`pod-${index}`, { namespace: NAMESPACE, schedulerName, requests });
  });
}

/** Asks for one pod at a time, so that the asking costs the API server nothing. */
async function untilNoneWaits({ admin }: ControlPlane): Promise<void> {
  const path = `${PODS_PATH}?limit=1&fieldSelector=spec.nodeName%3D`;
  await until({ what: 'all pods bound', timeoutMs: TIMEOUT_MS, everyMs: 250 }, async () => {
    const { items } = await admin.get<{ readonly items: readonly unknown[] }>(path);
    return items.length === 0;
  });
}

async function serverCpuSeconds({ apiServer, etcd }: ControlPlane): Promise<number> {
  const [server, store] = await Promise.all([usageOf(apiServer.pid), usageOf(etcd.pid)]);
  return server.cpuSeconds + store.cpuSeconds;
}

/** From the first binding that the API server accepted to the last. */
function rateOf(boundMs: readonly number[]): number {
  const sorted = [...boundMs].sort((a, b) => a - b);
  return boundMs.length / (((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)) / 1000);
}
