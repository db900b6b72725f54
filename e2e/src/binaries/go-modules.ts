/** Programs that one Go module builds. */
export interface GoModule {
  /** Folder under `e2e/binaries` with go.mod and go.sum. */
  readonly folder: string;
  readonly version: string;
  /** File name → Go package. */
  readonly programs: Readonly<Record<string, string>>;
  /** Values for `go build -ldflags -X`. */
  readonly linkedIn: Readonly<Record<string, string>>;
  /** What a build from nothing takes on two cores, for people who wait. */
  readonly coldBuild: string;
}

/** Patch releases of the minors that can be tested, the default first. */
const KUBERNETES_RELEASES: Readonly<Record<string, string>> = { '1.37': '1.37.2', '1.36': '1.36.3' };

export const KUBERNETES_MINORS = Object.keys(KUBERNETES_RELEASES);

const ETCD: GoModule = {
  folder: 'etcd',
  version: '3.6.13',
  programs: { etcd: 'go.etcd.io/etcd/server/v3' },
  linkedIn: {},
  coldBuild: 'half a minute',
};

const METRICS_SERVER: GoModule = {
  folder: 'metrics-server',
  version: '0.9.0',
  programs: { 'metrics-server': 'sigs.k8s.io/metrics-server/cmd/metrics-server' },
  linkedIn: {},
  coldBuild: 'one to two minutes',
};

/** For the chart; not a part of a control plane. */
const HELM: GoModule = {
  folder: 'helm',
  version: '4.3.2',
  programs: { helm: 'helm.sh/helm/v4/cmd/helm' },
  linkedIn: { 'helm.sh/helm/v4/internal/version.version': 'v4.3.2' },
  coldBuild: 'three minutes',
};

/**
 * paypal/load-watcher's own client, as Trimaran uses it, in a program of a few lines. Its dependencies are locked to
 * metrics-server's, which is built before: nearly all of it is compiled by then.
 */
const WATCHER_CLIENT: GoModule = {
  folder: 'watcher-client',
  version: '0.2.4',
  programs: { 'watcher-client': 'catamaran.example/e2e/watcher-client' },
  linkedIn: {},
  coldBuild: 'a minute, after metrics-server some seconds',
};

/** What the tests run: a control plane of that Kubernetes minor and what stands beside it. @throws Error for a minor that is not prepared. */
export function goModules(minor: string): readonly GoModule[] {
  return [ETCD, kubernetes(minor), METRICS_SERVER, HELM, WATCHER_CLIENT];
}

function kubernetes(minor: string): GoModule {
  const version = KUBERNETES_RELEASES[minor];
  if (version === undefined) {
    throw new Error(`--kubernetes: ${minor} is not one of ${KUBERNETES_MINORS.join(', ')}`);
  }
  const [gitMajor = '', gitMinor = ''] = minor.split('.');
  const component = 'k8s.io/component-base/version';
  const names = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'];
  return {
    folder: minor === KUBERNETES_MINORS[0] ? 'kubernetes' : `kubernetes-${minor}`,
    version,
    programs: Object.fromEntries(names.map((name) => [name, `k8s.io/kubernetes/cmd/${name}`])),
    // Without them the version reads v0.0.0, and clients and the checks of emulated versions misbehave.
    linkedIn: {
      [`${component}.gitVersion`]: `v${version}`,
      [`${component}.gitMajor`]: gitMajor,
      [`${component}.gitMinor`]: gitMinor,
    },
    coldBuild: 'five to eight minutes',
  };
}
