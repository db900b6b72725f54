import { fileURLToPath } from 'node:url';
import type { ControlPlane } from '../control-plane/control-plane.js';
import { startKubeScheduler } from '../control-plane/kube-scheduler.js';
import { accountKubeconfig, SCHEDULER_ACCOUNT } from '../control-plane/service-account.js';
import type { Program } from '../process/program.js';
import { SCHEDULER_NAME, startScheduler } from '../services/scheduler-process.js';

export type Contender = 'catamaran' | 'kube-scheduler' | 'bare client';

export const SCHEDULER_NAMES: Readonly<Record<Contender, string>> = {
  catamaran: SCHEDULER_NAME,
  'kube-scheduler': 'default-scheduler',
  'bare client': 'bare',
};

export interface ContenderOptions {
  /** Of the pods, for the bare client; schedulers look everywhere. */
  readonly namespace: string;
  /** Ours writes a CPU profile there when it ends. */
  readonly profileFolder: string | undefined;
}

/** Starts it with its limits on API calls lifted. */
export async function startContender(
  plane: ControlPlane,
  contender: Contender,
  { namespace, profileFolder }: ContenderOptions,
): Promise<Program> {
  if (contender === 'kube-scheduler') return await startKubeScheduler(plane);
  if (contender === 'bare client') return startBareClient(plane, namespace);
  const { kubeconfig } = await accountKubeconfig(plane, SCHEDULER_ACCOUNT);
  // Nobody answers there: every node scores alike, but each pod goes the whole way through TargetLoadPacking.
  const packingArgs = [
    'watcherAddress: http://127.0.0.1:1',
    'whenBlind: useRequests',
    'targetUtilization: 60',
  ];
  const args = ['--kube-api-qps=10000', '--kube-api-burst=10000'];
  const nodeArgs = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  return (await startScheduler(plane, { kubeconfig, packingArgs, args, nodeArgs })).program;
}

function startBareClient(plane: ControlPlane, namespace: string): Program {
  const script = fileURLToPath(new URL('bare-client.ts', import.meta.url));
  const program = plane.script('bare-client', ['--import=tsx', script], {
    BARE_CLIENT_SERVER: plane.url,
    BARE_CLIENT_CA: plane.credentials.file('ca.crt'),
    BARE_CLIENT_TOKEN: plane.credentials.adminToken,
    BARE_CLIENT_NAMESPACE: namespace,
  });
  plane.stoppedAtEnd(program).start();
  return program;
}
