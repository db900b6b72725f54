import { writeFile } from 'node:fs/promises';
import { freePorts } from '../process/free-ports.js';
import type { Program } from '../process/program.js';
import { until } from '../process/until.js';
import type { AdminClient } from './admin-client.js';
import type { ControlPlane } from './control-plane.js';

/** The real kube-scheduler, for pods of `default-scheduler`; no election, no limit on API calls worth naming. */
export async function startKubeScheduler(plane: ControlPlane): Promise<Program> {
  const [port = 0] = await freePorts(1);
  const kubeconfig = await plane.kubeconfig('kube-scheduler', {
    token: plane.credentials.kubeSchedulerToken,
  });
  const config = plane.file('kube-scheduler.yaml');
  await writeFile(
    config,
    `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: ${kubeconfig}, qps: 10000, burst: 10000}
leaderElection: {leaderElect: false}
`,
  );
  const program = plane.program('kube-scheduler', [
    `--config=${config}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${plane.file('kube-scheduler-pki')}`,
  ]);
  plane.stoppedAtEnd(program).start();
  return program;
}

/** A namespace of its own for a test's pods. */
export async function createNamespace(admin: AdminClient, name: string): Promise<void> {
  await admin.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await until({ what: `namespace ${name}`, timeoutMs: 10_000 }, () =>
    admin.get(`/api/v1/namespaces/${name}`),
  );
}
