import { defineOptions } from '@catamaran/platform';
import { hostedOptions } from './hosted-options.js';
import { prometheusOptions } from './prometheus-options.js';
import { servingOptions } from './serving-options.js';

/** Options of the load-watcher: the Go service's environment variables, flags beside them, and ours. */
export const loadWatcherOptions = defineOptions({
  config: {
    name: 'config',
    type: 'string',
    default: '',
    onlyFlag: true,
    description:
      'File of options in YAML or JSON, by the keys of this page. Secrets do not belong there: name a file that holds them.',
  },
  ...servingOptions,
  metricsProviderName: {
    name: 'metrics-provider-name',
    env: 'METRICS_PROVIDER_NAME',
    type: 'string',
    default: 'KubernetesMetricsServer',
    description: 'Where utilisation is read from: KubernetesMetricsServer, Prometheus, SignalFx or Datadog.',
  },
  metricsProviderAddress: {
    name: 'metrics-provider-address',
    env: 'METRICS_PROVIDER_ADDRESS',
    type: 'string',
    secret: 'user part',
    default: '',
    description:
      'Base URL of the source: Prometheus or an engine that speaks its API (by default http://prometheus-k8s:9090), SignalFx (https://api.signalfx.com) or Datadog (https://api.datadoghq.com).',
  },
  metricsProviderToken: {
    name: 'metrics-provider-token',
    env: 'METRICS_PROVIDER_TOKEN',
    type: 'string',
    secret: true,
    default: '',
    description:
      'Bearer token for Prometheus, access token for SignalFx, API key for Datadog; prefer --metrics-provider-token-file, which follows rotation.',
  },
  metricsProviderTokenFile: {
    name: 'metrics-provider-token-file',
    env: 'METRICS_PROVIDER_TOKEN_FILE',
    type: 'string',
    default: '',
    description: 'File that holds the token; read again when it changes.',
  },
  metricsProviderHeaders: {
    name: 'metrics-provider-headers',
    env: 'METRICS_PROVIDER_HEADERS',
    type: 'map',
    secret: true,
    default: {},
    description: 'Further headers for the source, such as X-Scope-OrgID=team-a.',
  },
  insecureSkipVerify: {
    name: 'insecure-skip-verify',
    env: 'INSECURE_SKIP_VERIFY',
    type: 'boolean',
    default: false,
    description: 'Do not verify the certificate of the source.',
  },
  metricsProviderCaFile: {
    name: 'metrics-provider-ca-file',
    env: 'METRICS_PROVIDER_CA_FILE',
    type: 'string',
    default: '',
    description: 'CA bundle (PEM) that vouches for the source, instead of the public ones.',
  },
  metricsProviderCertFile: {
    name: 'metrics-provider-cert-file',
    env: 'METRICS_PROVIDER_CERT_FILE',
    type: 'string',
    default: '',
    description: 'Client certificate (PEM) for the source; needs --metrics-provider-key-file.',
  },
  metricsProviderKeyFile: {
    name: 'metrics-provider-key-file',
    env: 'METRICS_PROVIDER_KEY_FILE',
    type: 'string',
    default: '',
    description: 'Key (PEM) of the client certificate.',
  },
  enableOpenshiftAuth: {
    name: 'enable-openshift-auth',
    env: 'ENABLE_OPENSHIFT_AUTH',
    type: 'boolean',
    default: false,
    description:
      "OpenShift: service-serving CA and the pod's own token for Prometheus. false and empty turn it off.",
  },
  kubeconfig: {
    name: 'kubeconfig',
    env: 'KUBE_CONFIG',
    type: 'string',
    default: '',
    description:
      "Path of a kubeconfig; by default KUBECONFIG, then the pod's service account, then ~/.kube/config.",
  },
  nodeNames: {
    name: 'node-names',
    type: 'string',
    choices: ['auto', 'cluster', 'labels'],
    default: 'auto',
    description:
      'Where node names come from, but for the Metrics Server: cluster lists the nodes, labels takes them from labels or host names unverified, auto lists them where a kubeconfig is given or in a pod.',
  },
  refreshInterval: {
    name: 'refresh-interval',
    type: 'duration',
    default: '1m',
    min: 1_000,
    description: 'From the start of one refresh to that of the next.',
  },
  refreshJitter: {
    name: 'refresh-jitter',
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    description: 'Share of the interval by which each refresh is moved at random.',
  },
  maxAge: {
    name: 'max-age',
    type: 'duration',
    default: '5m',
    min: 0,
    description:
      'Figures older than this are no longer served; 0 serves them for ever, as the Go service does.',
  },
  queryTimeout: {
    name: 'query-timeout',
    type: 'duration',
    default: '10s',
    min: 100,
    description: 'Deadline of one query or call to the source, its retry included.',
  },
  ...prometheusOptions,
  debugTokenFile: {
    name: 'debug-token-file',
    type: 'string',
    default: '',
    description: 'File with a bearer token that opens /debug/nodes and /configz to other machines.',
  },
  logLevel: {
    name: 'log-level',
    env: 'LOG_LEVEL',
    type: 'string',
    default: 'info',
    description: 'Least severe lines to log: debug, info, warn, error.',
  },
  ...hostedOptions,
});
