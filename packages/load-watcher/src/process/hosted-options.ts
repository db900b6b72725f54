import { defineOptions } from '@catamaran/platform';

/** Which hosts SignalFx is asked about; also where the load-watcher runs inside of the scheduler. */
export const signalfxOptions = defineOptions({
  signalfxHostNameSuffix: {
    name: 'signalfx-host-name-suffix',
    env: 'SIGNALFX_HOST_NAME_SUFFIX',
    type: 'string',
    default: '',
    description:
      'Only hosts whose name ends so are asked for, and a node may have the name without it, such as .dc1.example.com.',
  },
  signalfxClusterName: {
    name: 'signalfx-cluster-name',
    env: 'SIGNALFX_CLUSTER_NAME',
    type: 'string',
    default: '',
    description:
      'Only hosts with this dimension cluster are asked for; empty or * asks for those of all clusters.',
  },
});

/** Which hosts SignalFx and Datadog are asked about, and Datadog's second key. */
export const hostedOptions = defineOptions({
  metricsProviderAppKey: {
    name: 'metrics-provider-app-key',
    env: 'METRICS_PROVIDER_APP_KEY',
    type: 'string',
    secret: true,
    default: '',
    description:
      'Application key of Datadog; prefer --metrics-provider-app-key-file, which follows rotation.',
  },
  metricsProviderAppKeyFile: {
    name: 'metrics-provider-app-key-file',
    env: 'METRICS_PROVIDER_APP_KEY_FILE',
    type: 'string',
    default: '',
    description: 'File that holds the application key; read again when it changes.',
  },
  ...signalfxOptions,
  datadogHostNameSuffix: {
    name: 'datadog-host-name-suffix',
    env: 'DATADOG_HOST_NAME_SUFFIX',
    type: 'string',
    default: '',
    description:
      'Only hosts whose name ends so are asked for, and a node may have the name without it, such as -blue.',
  },
  datadogClusterName: {
    name: 'datadog-cluster-name',
    env: 'DATADOG_CLUSTER_NAME',
    type: 'string',
    default: '',
    description:
      'Only hosts with this tag cluster_name are asked for; empty or * asks for those of all clusters.',
  },
});
