import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { freePorts } from '../process/free-ports.js';
import type { Program } from '../process/program.js';
import { until } from '../process/until.js';
import type { ControlPlane } from './control-plane.js';
import { tokenOf } from './service-account.js';

const ACCOUNT = { namespace: 'kube-system', name: 'metrics-server' };
export const METRICS_PATH = '/apis/metrics.k8s.io/v1beta1/nodes';

/** Starts metrics-server and puts it behind the aggregated API; ready once it has figures for `nodeCount` nodes. */
export async function startMetricsServer(plane: ControlPlane, nodeCount: number): Promise<Program> {
  const [port = 0] = await freePorts(1);
  const manifests = plane.file('metrics-server.yaml');
  await writeFile(
    manifests,
    [...ACCESS, ...aggregation(port)].map((object) => stringify(object)).join('---\n'),
  );
  await plane.kubectl('apply', '--filename', manifests);
  const kubeconfig = await plane.kubeconfig('metrics-server', { token: await tokenOf(plane, ACCOUNT) });
  const program = plane.program('metrics-server', [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${plane.file('metrics-server-pki')}`,
    '--kubelet-insecure-tls',
    '--kubelet-preferred-address-types=InternalIP',
    '--kubelet-use-node-status-port',
    '--metric-resolution=10s',
    '--kubelet-request-timeout=5s',
  ]);
  plane.stoppedAtEnd(program).start();
  await metricsAvailable(plane, nodeCount);
  return program;
}

/** Until the aggregated API has that many nodes. */
export async function metricsAvailable(plane: ControlPlane, nodeCount: number): Promise<void> {
  await until({ what: `metrics of ${nodeCount} nodes`, timeoutMs: 90_000, everyMs: 500 }, async () => {
    const { items } = await plane.admin.get<{ readonly items: readonly unknown[] }>(METRICS_PATH);
    return items.length >= nodeCount;
  });
}

const SUBJECTS = [{ kind: 'ServiceAccount', ...ACCOUNT }];
const RBAC = 'rbac.authorization.k8s.io';

const ACCESS = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: ACCOUNT },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'system:metrics-server' },
    rules: [
      { apiGroups: [''], resources: ['nodes/metrics'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] },
    ],
  },
  clusterRoleBinding('system:metrics-server'),
  clusterRoleBinding('system:auth-delegator'),
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'metrics-server-auth-reader', namespace: 'kube-system' },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    subjects: SUBJECTS,
  },
];

function clusterRoleBinding(role: string): object {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: `metrics-server-is-${role.replaceAll(':', '-')}` },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: SUBJECTS,
  };
}

/** Endpoints may not be loopback addresses, so the service is a name for this machine. */
function aggregation(port: number): readonly object[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: ACCOUNT,
      spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1beta1.metrics.k8s.io' },
      spec: {
        group: 'metrics.k8s.io',
        version: 'v1beta1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { ...ACCOUNT, port },
      },
    },
  ];
}
