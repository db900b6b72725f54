import { request } from 'undici';
import { TestCluster } from '../suites/test-cluster.js';
import { type ChurnReport, churn } from './churn.js';
import { type Allowance, growth } from './process-sample.js';

export interface SoakOptions {
  readonly durationMs: number;
  readonly sampleEveryMs: number;
  readonly allowed: Allowance;
  readonly say: (line: string) => void;
}

export interface SoakResult {
  readonly report: ChurnReport;
  /** What is not as it must be, one sentence each. */
  readonly problems: readonly string[];
}

const NODES = 30;
const PODS_PER_SECOND = 20;
/** Both services on a control plane of their own while pods come and go. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const cluster = await TestCluster.start(NODES);
  try {
    await cluster.startMetricsServer();
    const watcher = await cluster.startLoadWatcher();
    const scheduler = await cluster.startScheduler(watcher);
    const watched = {
      scheduler: {
        pid: scheduler.program.pid,
        metrics: async () => (await scheduler.get('/metrics')).text,
      },
      'load-watcher': {
        pid: watcher.program.pid,
        metrics: async () => await (await request(`${watcher.url}/metrics`)).body.text(),
      },
    };
    const report = await churn(cluster, { ...options, podsPerSecond: PODS_PER_SECOND, watched });
    const problems = [
      ...report.lost.map((name) => `${name} was never bound`),
      ...report.boundTwice.map((name) => `${name} was bound twice`),
      ...Object.entries(report.samples).flatMap(([name, samples]) => growth(name, samples, options.allowed)),
    ];
    return { report, problems };
  } finally {
    await cluster.stop();
  }
}
