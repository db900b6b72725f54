import type { Pod } from '@catamaran/model';
import { createNamespace } from '../control-plane/kube-scheduler.js';
import { boundTwice, readAuditLog } from '../evidence/audit-log.js';
import { podsOf } from '../evidence/cluster-objects.js';
import { plannedPods } from '../nodes/cluster-plan.js';
import { pause, until } from '../process/until.js';
import { SCHEDULER_NAME } from '../services/scheduler-process.js';
import type { TestCluster } from '../suites/test-cluster.js';
import { type ProcessSample, sampleOf, type WatchedProcess } from './process-sample.js';

export interface ChurnOptions {
  readonly durationMs: number;
  readonly podsPerSecond: number;
  readonly sampleEveryMs: number;
  /** Processes whose use is recorded, by name. */
  readonly watched: Readonly<Record<string, WatchedProcess>>;
  readonly say: (line: string) => void;
}

export interface ChurnReport {
  readonly created: number;
  /** Pods that had no node by the end, though every one fits. */
  readonly lost: readonly string[];
  readonly boundTwice: readonly string[];
  readonly samples: Readonly<Record<string, readonly ProcessSample[]>>;
}

const NAMESPACE = 'churn';
const BATCH_MS = 1000;
/** A pod lives until that many younger batches are there. */
const LIVES_BATCHES = 4;

/** Pods come, are bound, and go, at a steady rate for that long. */
export async function churn(cluster: TestCluster, options: ChurnOptions): Promise<ChurnReport> {
  const { durationMs, podsPerSecond, sampleEveryMs, watched, say } = options;
  await createNamespace(cluster.plane.admin, NAMESPACE);
  const samples: Record<string, ProcessSample[]> = {};
  for (const name of Object.keys(watched)) samples[name] = [];
  const startedMs = performance.now();
  let nextSampleMs = 0;
  let created = 0;
  for (let batch = 0; performance.now() - startedMs < durationMs; batch += 1) {
    const batchStartMs = performance.now();
    const pods = batchOf(batch, podsPerSecond);
    await cluster.createPods(pods);
    created += pods.length;
    if (batch >= LIVES_BATCHES) await removeBound(cluster, batchOf(batch - LIVES_BATCHES, podsPerSecond));
    if (performance.now() - startedMs >= nextSampleMs) {
      nextSampleMs += sampleEveryMs;
      for (const [name, process] of Object.entries(watched)) {
        const sample = await sampleOf(process, performance.now() - startedMs);
        samples[name]?.push(sample);
        say(`${name}: ${JSON.stringify(sample)}`);
      }
    }
    await pause(Math.max(0, BATCH_MS - (performance.now() - batchStartMs)));
  }
  const lost = await leftWithoutNode(cluster);
  const entries = await readAuditLog(cluster.plane.auditLog);
  return { created, lost, boundTwice: boundTwice(entries), samples };
}

function batchOf(batch: number, count: number): readonly Pod[] {
  const prefix = `churn-${batch}`;
  return plannedPods({
    count,
    seed: batch,
    namespace: NAMESPACE,
    schedulerName: SCHEDULER_NAME,
    prefix,
    hostPorts: false,
  });
}

/** Those that are not bound yet stay, and are found at the end if they never are. */
async function removeBound({ plane }: TestCluster, pods: readonly Pod[]): Promise<void> {
  const present = await podsOf(plane.admin, NAMESPACE);
  const bound = new Set(present.filter(({ spec }) => spec.nodeName !== undefined).map(nameOf));
  await Promise.all(
    pods
      .map(nameOf)
      .filter((name) => bound.has(name))
      .map((name) =>
        plane.admin.delete(`/api/v1/namespaces/${NAMESPACE}/pods/${name}`, { gracePeriodSeconds: 0 }),
      ),
  );
}

async function leftWithoutNode({ plane }: TestCluster): Promise<readonly string[]> {
  const waiting = async (): Promise<readonly string[]> =>
    (await podsOf(plane.admin, NAMESPACE)).filter(({ spec }) => spec.nodeName === undefined).map(nameOf);
  await until({ what: 'all pods bound', timeoutMs: 60_000, everyMs: 500 }, async () => {
    return (await waiting()).length === 0;
  }).catch(() => undefined);
  return await waiting();
}

function nameOf({ metadata }: Pod): string {
  return metadata.name;
}
