import { defineOptions } from '@catamaran/platform';

const NO_ELECTION = 'leader election is not built yet';
const NO_LOOKUP = "the cluster's own settings are not looked up: give --client-ca-file";
const NO_PROXY = 'front proxies are not known here: a token or a client certificate is';
const NO_KLOG = 'logs are JSON lines on stderr';
const NO_PROFILING = 'there is no profiling endpoint';

function ignored(name: string, noEffect: string) {
  return { name, type: 'string', default: '', description: 'A flag of kube-scheduler.', noEffect } as const;
}

/** For flags that may stand alone: `--profiling`. */
function ignoredSwitch(name: string, noEffect: string) {
  return {
    name,
    type: 'boolean',
    default: false,
    description: 'A flag of kube-scheduler.',
    noEffect,
  } as const;
}

/** kube-scheduler's flags for serving, election and features that mean nothing here: accepted, each with one line. */
export const servingFlags = defineOptions({
  leaderElectLeaseDuration: ignored('leader-elect-lease-duration', NO_ELECTION),
  leaderElectRenewDeadline: ignored('leader-elect-renew-deadline', NO_ELECTION),
  leaderElectRetryPeriod: ignored('leader-elect-retry-period', NO_ELECTION),
  leaderElectResourceLock: ignored('leader-elect-resource-lock', NO_ELECTION),
  leaderElectResourceName: ignored('leader-elect-resource-name', NO_ELECTION),
  leaderElectResourceNamespace: ignored('leader-elect-resource-namespace', NO_ELECTION),
  lockObjectName: ignored('lock-object-name', NO_ELECTION),
  lockObjectNamespace: ignored('lock-object-namespace', NO_ELECTION),
  authenticationSkipLookup: ignoredSwitch('authentication-skip-lookup', NO_LOOKUP),
  authenticationTolerateLookupFailure: ignoredSwitch('authentication-tolerate-lookup-failure', NO_LOOKUP),
  requestheaderAllowedNames: ignored('requestheader-allowed-names', NO_PROXY),
  requestheaderClientCaFile: ignored('requestheader-client-ca-file', NO_PROXY),
  requestheaderExtraHeadersPrefix: ignored('requestheader-extra-headers-prefix', NO_PROXY),
  requestheaderGroupHeaders: ignored('requestheader-group-headers', NO_PROXY),
  requestheaderUidHeaders: ignored('requestheader-uid-headers', NO_PROXY),
  requestheaderUsernameHeaders: ignored('requestheader-username-headers', NO_PROXY),
  certDir: ignored('cert-dir', 'the self-signed certificate is kept in memory'),
  tlsCipherSuites: ignored('tls-cipher-suites', "Node.js' choice is used"),
  tlsCurvePreferences: ignored('tls-curve-preferences', "Node.js' choice is used"),
  tlsSniCertKey: ignored('tls-sni-cert-key', 'one certificate is served'),
  http2MaxStreamsPerConnection: ignored('http2-max-streams-per-connection', 'HTTP/1.1 is served'),
  disableHttp2Serving: ignoredSwitch('disable-http2-serving', 'HTTP/1.1 is served'),
  permitAddressSharing: ignoredSwitch('permit-address-sharing', 'addresses are not shared'),
  permitPortSharing: ignoredSwitch('permit-port-sharing', 'ports are not shared'),
  featureGates: ignored('feature-gates', 'there are no feature gates'),
  minCompatibilityVersion: ignored('min-compatibility-version', 'there are no emulated versions'),
  master: ignored('master', 'the API server is that of the kubeconfig'),
  emulatedVersion: ignored('emulated-version', 'there are no emulated versions'),
  kubeApiContentType: ignored('kube-api-content-type', 'application/json is spoken'),
  profiling: ignoredSwitch('profiling', NO_PROFILING),
  contentionProfiling: ignoredSwitch('contention-profiling', NO_PROFILING),
  algorithmProvider: ignored('algorithm-provider', 'plugins are chosen in the config file'),
  hardPodAffinitySymmetricWeight: ignored(
    'hard-pod-affinity-symmetric-weight',
    'it is an argument of InterPodAffinity',
  ),
  allowMetricLabels: ignored('allow-metric-labels', 'metrics have fixed labels'),
  allowMetricLabelsManifest: ignored('allow-metric-labels-manifest', 'metrics have fixed labels'),
  disabledMetrics: ignored('disabled-metrics', 'all metrics are served'),
  showHiddenMetricsForVersion: ignored('show-hidden-metrics-for-version', 'there are no hidden metrics'),
});

/** klog's flags. */
export const klogFlags = defineOptions({
  logtostderr: ignoredSwitch('logtostderr', NO_KLOG),
  alsologtostderr: ignoredSwitch('alsologtostderr', NO_KLOG),
  stderrthreshold: ignored('stderrthreshold', NO_KLOG),
  logDir: ignored('log-dir', NO_KLOG),
  logFile: ignored('log-file', NO_KLOG),
  logFileMaxSize: ignored('log-file-max-size', NO_KLOG),
  logBacktraceAt: ignored('log-backtrace-at', NO_KLOG),
  logFlushFrequency: ignored('log-flush-frequency', NO_KLOG),
  logJsonInfoBufferSize: ignored('log-json-info-buffer-size', NO_KLOG),
  logJsonSplitStream: ignoredSwitch('log-json-split-stream', NO_KLOG),
  logTextInfoBufferSize: ignored('log-text-info-buffer-size', NO_KLOG),
  logTextSplitStream: ignoredSwitch('log-text-split-stream', NO_KLOG),
  loggingFormat: ignored('logging-format', NO_KLOG),
  addDirHeader: ignoredSwitch('add-dir-header', NO_KLOG),
  oneOutput: ignoredSwitch('one-output', NO_KLOG),
  skipHeaders: ignoredSwitch('skip-headers', NO_KLOG),
  skipLogHeaders: ignoredSwitch('skip-log-headers', NO_KLOG),
  vmodule: ignored('vmodule', NO_KLOG),
});
