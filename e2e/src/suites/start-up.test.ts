import { podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { inParallel } from '../control-plane/admin-client.js';
import { ControlPlane } from '../control-plane/control-plane.js';
import { createNamespace } from '../control-plane/kube-scheduler.js';
import { accountKubeconfig, applyShippedRoles, SCHEDULER_ACCOUNT } from '../control-plane/service-account.js';
import { boundTwice, readAuditLog } from '../evidence/audit-log.js';
import { allBound } from '../evidence/cluster-objects.js';
import { usageOf } from '../evidence/process-usage.js';
import { FaultProxy } from '../faults/fault-proxy.js';
import { nodeName, plannedNode, plannedPods } from '../nodes/cluster-plan.js';
import { Teardown } from '../process/teardown.js';
import { until } from '../process/until.js';
import { SCHEDULER_NAME, type SchedulerProcess, startScheduler } from '../services/scheduler-process.js';
import { tell } from './tell.js';

const NODES = 5000;
const RUNNING = 20_000;
const PENDING = 200;
const AT_ONCE = 32;

/** What a large cluster is to a scheduler that starts, once plainly and once under the worst that lists can meet. */
describe(`start-up with ${NODES} nodes and ${RUNNING} running pods`, function () {
  this.timeout(300_000);
  let teardown: Teardown;
  let plane: ControlPlane;
  let proxy: FaultProxy;
  let scheduler: SchedulerProcess;
  let pagesAsked = 0;

  before(async () => {
    teardown = new Teardown();
    plane = await ControlPlane.start(teardown);
    proxy = await FaultProxy.start(plane.url, plane.credentials.ca);
    teardown.add(() => proxy.close());
    await applyShippedRoles(plane);
    await createNamespace(plane.admin, 'running');
    await createNamespace(plane.admin, 'waiting');
    const nodes = Array.from({ length: NODES }, (_, index) =>
      plannedNode(index, { ip: '127.0.1.1', kubeletPort: 1 }),
    );
    await inParallel(nodes, AT_ONCE, (node) => plane.admin.create('/api/v1/nodes', node));
    const running = Array.from({ length: RUNNING }, (_, index) =>
      podOf(`running-${index}`, {
        namespace: 'running',
        nodeName: nodeName(index % NODES),
        requests: { cpu: '500m', memory: '512Mi' },
      }),
    );
    await inParallel(running, AT_ONCE, (pod) => plane.admin.create('/api/v1/namespaces/running/pods', pod));
  });
  after(() => teardown?.run());

  it('is ready and binds; time and memory are stated', async () => {
    const { kubeconfig } = await accountKubeconfig(plane, SCHEDULER_ACCOUNT, proxy.url);
    proxy.rule = (_method, path) => {
      if (isFurtherPage(path)) pagesAsked += 1;
      return 'pass';
    };
    await createPending('first');
    const startedMs = performance.now();
    // Nobody answers there: figures are not what this is about.
    const packingArgs = ['watcherAddress: http://127.0.0.1:1', 'whenBlind: useRequests'];
    scheduler = await startScheduler(plane, { kubeconfig, packingArgs });
    tell('ready after the process was started', startedMs);
    await allBound(plane.admin, 'waiting');
    tell(`${PENDING} waiting pods bound after the process was started`, startedMs);
    await stateUsage();
    expect(pagesAsked).to.be.above(0);
  });

  it('history is compacted between two pages of the list: 410 on the continue token', async () => {
    let compaction: Promise<void> | undefined;
    pagesAsked = 0;
    await scheduler.program.stop();
    proxy.rule = (_method, path) => {
      if (!isFurtherPage(path)) return 'pass';
      pagesAsked += 1;
      // Something newer than the first page, so that the page's own revision goes.
      compaction ??= createNamespace(plane.admin, 'later').then(() => plane.compact());
      return { holdUntil: compaction };
    };
    await createPending('second');
    const startedMs = performance.now();
    scheduler.program.start();
    await allBound(plane.admin, 'waiting');
    tell('all bound, compaction and restart of the API server included', startedMs);
    const text = await until({ what: 'the whole cache', timeoutMs: 60_000 }, async () => {
      const answer = await scheduler.get('/metrics');
      return (
        answer.text.includes(`scheduler_cache_size{type="pods"} ${RUNNING + 2 * PENDING}\n`) && answer.text
      );
    });
    expect(text).to.include(`scheduler_cache_size{type="nodes"} ${NODES}\n`);
    const entries = await readAuditLog(plane.auditLog);
    const gone = entries.filter(({ requestURI, responseStatus }) => {
      return isFurtherPage(requestURI) && responseStatus?.code === 410;
    });
    expect(gone).not.to.have.length(0);
    expect(boundTwice(entries)).to.deep.equal([]);
    await stateUsage();
  });

  const createPending = async (prefix: string): Promise<void> => {
    const pods = plannedPods({
      count: PENDING,
      seed: prefix.length,
      namespace: 'waiting',
      schedulerName: SCHEDULER_NAME,
      prefix,
    });
    await inParallel(pods, AT_ONCE, (pod) => plane.admin.create('/api/v1/namespaces/waiting/pods', pod));
  };
  const stateUsage = async (): Promise<void> => {
    const { peakMebibytes, cpuSeconds } = await usageOf(scheduler.program.pid);
    process.stderr.write(
      `      peak RSS ${peakMebibytes.toFixed(0)} MiB, ${cpuSeconds.toFixed(1)} CPU s so far\n`,
    );
  };
});

function isFurtherPage(path: string): boolean {
  return path.includes('continue=');
}
