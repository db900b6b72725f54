import { freePorts } from '../process/free-ports.js';
import type { Program } from '../process/program.js';
import type { ControlPlane } from './control-plane.js';

/** The real kube-controller-manager, for Deployments only: its node controller would miss the heartbeats of our nodes. */
export async function startKubeControllerManager(plane: ControlPlane): Promise<Program> {
  const [port = 0] = await freePorts(1);
  const kubeconfig = await plane.kubeconfig('kube-controller-manager', {
    token: plane.credentials.adminToken,
  });
  const program = plane.program('kube-controller-manager', [
    `--kubeconfig=${kubeconfig}`,
    '--controllers=deployment-controller,replicaset-controller',
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${plane.file('kube-controller-manager-pki')}`,
  ]);
  plane.stoppedAtEnd(program).start();
  return program;
}
