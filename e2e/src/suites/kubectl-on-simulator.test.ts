import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InMemoryCluster, SystemClock, silentLogger } from '@catamaran/platform';
import { type RunningSimulatorServer, startSimulatorServer } from '@catamaran/simulator';
import { nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { buildBinaries } from '../binaries/build-binaries.js';
import { KUBERNETES_MINORS } from '../binaries/go-modules.js';

describe('kubectl on the embedded cluster', () => {
  let kubectlPath: string;
  let folder: string;
  let server: RunningSimulatorServer;

  before(async () => {
    const say = (sentence: string): void => void process.stderr.write(`catamaran e2e: ${sentence}\n`);
    const minor = process.env.CATAMARAN_E2E_KUBERNETES ?? KUBERNETES_MINORS[0] ?? '';
    kubectlPath = (await buildBinaries({ minor, env: process.env, say })).kubectl ?? 'kubectl';
    folder = await mkdtemp(join(tmpdir(), 'catamaran-kubectl-'));
    const clock = new SystemClock();
    const cluster = new InMemoryCluster(
      {},
      { clock, nodeUsage: () => ({ cpuMilli: 250, memoryBytes: 2 ** 30 }) },
    );
    cluster.createNode(nodeOf('n1', { cpu: '4', labels: { 'node-role.kubernetes.io/worker': '' } }));
    cluster.createNode(nodeOf('n2', { cpu: '4' }));
    const waiting = cluster.createPod(podOf('waiting', { requests: { cpu: '100m' } }));
    cluster.createPod(podOf('placed', { namespace: 'team', nodeName: 'n1', requests: { cpu: '1' } }));
    await cluster.createEvent(
      {
        metadata: { name: 'waiting.1', namespace: 'default' },
        eventTime: '2026-11-30T15:00:00.000000Z',
        type: 'Warning',
        reason: 'FailedScheduling',
        action: 'Scheduling',
        note: '0/2 nodes are available',
        reportingController: 'catamaran',
        reportingInstance: 'catamaran-host',
        regarding: {
          kind: 'Pod',
          apiVersion: 'v1',
          namespace: 'default',
          name: 'waiting',
          uid: waiting.metadata.uid ?? '',
        },
      },
      new AbortController().signal,
    );
    server = await startSimulatorServer({ port: 0 }, { cluster, clock, log: silentLogger });
  });
  after(async () => {
    await server?.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  /** Words of each line. */
  async function kubectl(...args: readonly string[]): Promise<string[][]> {
    const where = [`--server=${server.url}`, `--cache-dir=${folder}`, '--kubeconfig=/dev/null'];
    const { stdout } = await promisify(execFile)(kubectlPath, [...where, ...args]);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
  }

  it('lists nodes, short and wide', async () => {
    const [head, first, second] = await kubectl('get', 'nodes');
    expect(head).to.deep.equal(['NAME', 'STATUS', 'ROLES', 'AGE', 'VERSION']);
    expect(first?.slice(0, 3)).to.deep.equal(['n1', 'Ready', 'worker']);
    expect(second?.slice(0, 3)).to.deep.equal(['n2', 'Ready', '<none>']);
    expect((await kubectl('get', 'nodes', '-o', 'wide'))[0]).to.include.members(['INTERNAL-IP', 'OS-IMAGE']);
  });

  it('lists the pods of all namespaces, and where they are', async () => {
    const rows = await kubectl('get', 'pods', '--all-namespaces', '-o', 'wide');
    expect(rows[0]?.slice(0, 5)).to.deep.equal(['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS']);
    expect(rows.slice(1).map((row) => [row[0], row[1], row[3], row[7]])).to.deep.equal([
      ['default', 'waiting', 'Pending', '<none>'],
      ['team', 'placed', 'Pending', 'n1'],
    ]);
  });

  it('prints an object as YAML, and fields of objects by their paths', async () => {
    const lines = (await kubectl('get', 'node', 'n1', '-o', 'yaml')).map((words) => words.join(' '));
    expect(lines).to.include.members(['kind: Node', 'name: n1', 'cpu: "4"']);
    const names = await kubectl('get', 'pods', '-A', '-o', 'jsonpath={.items[*].metadata.name}');
    expect(names).to.deep.equal([['waiting', 'placed']]);
  });

  it('describes a node with what runs there, and a pod with its events', async () => {
    const node = (await kubectl('describe', 'node', 'n1')).map((words) => words.join(' '));
    expect(node).to.include('Roles: worker').and.include('cpu 1 (25%) 0 (0%)');
    const pod = (await kubectl('describe', 'pod', 'waiting')).map((words) => words.join(' ')).join('\n');
    expect(pod).to.match(/Warning FailedScheduling \S+ catamaran 0\/2 nodes are available/);
  });

  it('shows the use of nodes, and says of a missing pod that it is not there', async () => {
    expect((await kubectl('top', 'nodes'))[1]?.slice(0, 3)).to.deep.equal(['n1', '250m', '6%']);
    const missing = await kubectl('get', 'pod', 'nobody').catch((error: { stderr: string }) => error.stderr);
    expect(missing).to.include('Error from server (NotFound): pods "nobody" not found');
  });
});
