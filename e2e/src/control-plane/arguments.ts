export function etcdArgs(options: {
  readonly folder: string;
  readonly etcdPort: number;
  readonly peerPort: number;
}): readonly string[] {
  const client = `http://127.0.0.1:${options.etcdPort}`;
  const peer = `http://127.0.0.1:${options.peerPort}`;
  return [
    '--name=e2e',
    `--data-dir=${options.folder}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=e2e=${peer}`,
    '--unsafe-no-fsync=true',
    '--log-level=warn',
  ];
}

export function apiServerArgs(options: {
  readonly file: (name: string) => string;
  readonly etcdUrl: string;
  readonly port: number;
  readonly auditLog: string;
}): readonly string[] {
  const { file, etcdUrl, port, auditLog } = options;
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    // Endpoints may not be loopback addresses.
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/24',
    `--tls-cert-file=${file('server.crt')}`,
    `--tls-private-key-file=${file('server.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--authorization-mode=RBAC',
    // Without a node controller nobody takes away the taint of new nodes; without a controller manager nobody makes
    // the default service accounts.
    '--disable-admission-plugins=TaintNodesByCondition,ServiceAccount',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('service-account.pub')}`,
    `--service-account-signing-key-file=${file('service-account.key')}`,
    // The aggregated metrics API.
    `--requestheader-client-ca-file=${file('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=system:auth-proxy',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${file('front-proxy.crt')}`,
    `--proxy-client-key-file=${file('front-proxy.key')}`,
    `--audit-policy-file=${file('audit-policy.yaml')}`,
    `--audit-log-path=${auditLog}`,
    '--audit-log-maxsize=1000',
    '--audit-log-mode=blocking',
  ];
}
