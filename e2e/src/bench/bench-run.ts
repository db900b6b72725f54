import { readFile } from 'node:fs/promises';
import { podOf } from '@catamaran/testkit';
import { inParallel } from '../control-plane/admin-client.js';
import { ControlPlane } from '../control-plane/control-plane.js';
import { createNamespace, startKubeScheduler } from '../control-plane/kube-scheduler.js';
import { accountKubeconfig, applyShippedRoles, SCHEDULER_ACCOUNT } from '../control-plane/service-account.js';
import { readAuditLog } from '../evidence/audit-log.js';
import { nodeName, plannedNode } from '../nodes/cluster-plan.js';
import { Teardown } from '../process/teardown.js';
import { until } from '../process/until.js';
import { SCHEDULER_NAME, startScheduler } from '../services/scheduler-process.js';

export interface BenchCase {
  readonly nodes: number;
  readonly pods: number;
  /** All pods alike, or each with requests of its own. */
  readonly alike: boolean;
}

export type Contender = 'catamaran' | 'kube-scheduler';

export interface BenchFigures {
  readonly podsPerSecond: number;
  readonly peakMebibytes: number;
  readonly cpuSeconds: number;
}

const NAMESPACE = 'bench';
const AT_ONCE = 32;
const TIMEOUT_MS = 300_000;

/** One run on a control plane of its own: the pods are there first, then the scheduler starts. */
export async function benchRun(contender: Contender, size: BenchCase): Promise<BenchFigures> {
  const teardown = new Teardown();
  try {
    const plane = await ControlPlane.start(teardown);
    await applyShippedRoles(plane);
    await createNamespace(plane.admin, NAMESPACE);
    await fill(plane, contender, size);
    const program = await startContender(plane, contender);
    await untilNoneWaits(plane);
    const usage = await usageOf(program.pid);
    return { podsPerSecond: await bindingRate(plane.auditLog), ...usage };
  } finally {
    await teardown.run();
  }
}

/** Asks for one pod at a time, so that the asking costs the API server nothing. */
async function untilNoneWaits({ admin }: ControlPlane): Promise<void> {
  const path = `/api/v1/namespaces/${NAMESPACE}/pods?limit=1&fieldSelector=spec.nodeName%3D`;
  await until({ what: 'all pods bound', timeoutMs: TIMEOUT_MS, everyMs: 500 }, async () => {
    const { items } = await admin.get<{ readonly items: readonly unknown[] }>(path);
    return items.length === 0;
  });
}

async function fill(plane: ControlPlane, contender: Contender, size: BenchCase): Promise<void> {
  const schedulerName = contender === 'catamaran' ? SCHEDULER_NAME : 'default-scheduler';
  const nodes = Array.from({ length: size.nodes }, (_, index) => {
    const node = plannedNode(index, { ip: '127.0.1.1', kubeletPort: 1 });
    return { ...node, metadata: { ...node.metadata, name: nodeName(index) }, spec: {} };
  });
  await inParallel(nodes, AT_ONCE, (node) => plane.admin.create('/api/v1/nodes', node));
  const pods = Array.from({ length: size.pods }, (_, index) => {
    const requests = size.alike
      ? { cpu: '100m', memory: '128Mi' }
      : { cpu: `${50 + (index % 997)}m`, memory: `${64 + Math.floor(index / 997)}Mi` };
    return podOf(`pod-${index}`, { namespace: NAMESPACE, schedulerName, requests });
  });
  await inParallel(pods, AT_ONCE, (pod) => plane.admin.create(`/api/v1/namespaces/${NAMESPACE}/pods`, pod));
}

async function startContender(plane: ControlPlane, contender: Contender): Promise<{ readonly pid: number }> {
  if (contender === 'kube-scheduler') return await startKubeScheduler(plane);
  const { kubeconfig } = await accountKubeconfig(plane, SCHEDULER_ACCOUNT);
  // Nobody answers there: every node scores alike, but each pod goes the whole way through TargetLoadPacking.
  const packingArgs = [
    'watcherAddress: http://127.0.0.1:1',
    'whenBlind: useRequests',
    'targetUtilization: 60',
  ];
  const args = ['--kube-api-qps=10000', '--kube-api-burst=10000'];
  return (await startScheduler(plane, { kubeconfig, packingArgs, args })).program;
}

/** From the first binding that the API server accepted to the last. */
async function bindingRate(auditLog: string): Promise<number> {
  const times = (await readAuditLog(auditLog))
    .filter(({ verb, objectRef }) => verb === 'create' && objectRef?.subresource === 'binding')
    .map(({ requestReceivedTimestamp }) => Date.parse(requestReceivedTimestamp));
  return times.length / ((Math.max(...times) - Math.min(...times)) / 1000);
}

/** Of a process that still runs, from `/proc`. */
async function usageOf(
  pid: number,
): Promise<{ readonly peakMebibytes: number; readonly cpuSeconds: number }> {
  const [status, stat] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/stat`, 'utf8'),
  ]);
  const [, peakKi = 'NaN'] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { peakMebibytes: Number(peakKi) / 1024, cpuSeconds: ticks / 100 };
}
