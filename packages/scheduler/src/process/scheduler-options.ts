import { signalfxOptions } from '@catamaran/load-watcher';
import { defineOptions } from '@catamaran/platform';
import { accessFlags } from './access-flags.js';
import { klogFlags, servingFlags } from './kube-scheduler-flags.js';

/** Options of the scheduler: kube-scheduler's flags in its spelling, and ours. */
export const schedulerOptions = defineOptions({
  config: {
    name: 'config',
    type: 'string',
    default: '',
    description:
      'KubeSchedulerConfiguration file (kubescheduler.config.k8s.io/v1); without it the defaults run.',
  },
  writeConfigTo: {
    name: 'write-config-to',
    type: 'string',
    default: '',
    description: 'Write the configuration that would run, defaults filled in, to this file, and end.',
  },
  kubeconfig: {
    name: 'kubeconfig',
    type: 'string',
    default: '',
    description:
      "Path of a kubeconfig; by default the config file's, KUBECONFIG, or the pod's service account.",
  },
  mode: {
    name: 'mode',
    type: 'string',
    default: 'standalone',
    description:
      'How to run: standalone binds the pods of its scheduler names. extender and shadow are not built yet.',
  },
  nodePowerModel: {
    name: 'node-power-model',
    env: 'NODE_POWER_MODEL',
    type: 'string',
    default: '',
    description: 'JSON file of power models by node name, for profiles whose Peaks arguments hold none.',
  },
  ...signalfxOptions,
  leaderElect: {
    name: 'leader-elect',
    type: 'boolean',
    default: true,
    description: 'Elect a leader among replicas. Not built yet: it runs unelected, so run one replica.',
  },
  verbosity: {
    name: 'v',
    shorthand: 'v',
    type: 'integer',
    default: 0,
    min: 0,
    description: 'Log level in the manner of klog: 4 and above logs debug lines, with one for each pod.',
  },
  version: {
    name: 'version',
    type: 'string',
    alone: 'true',
    choices: ['true', 'raw', 'false'],
    default: 'false',
    description: 'Print the version and end; --version=raw prints it as JSON.',
  },
  podMaxInUnschedulablePodsDuration: {
    name: 'pod-max-in-unschedulable-pods-duration',
    type: 'duration',
    default: '5m',
    min: 0,
    description: 'An unschedulable pod is tried again after so long though nothing happened.',
  },
  kubeApiQps: {
    name: 'kube-api-qps',
    type: 'number',
    description:
      "API calls a second, instead of the config file's clientConnection.qps; 0 is 5, negative no limit.",
  },
  kubeApiBurst: {
    name: 'kube-api-burst',
    type: 'integer',
    min: 0,
    description: "API calls at once, instead of the config file's clientConnection.burst; 0 is 10.",
  },
  schedulerName: {
    name: 'scheduler-name',
    type: 'string',
    default: '',
    description: 'Name of the one profile.',
    deprecated: 'schedulerName of a profile in the config file',
  },
  address: {
    name: 'address',
    type: 'string',
    default: '',
    description: 'Address of a plain HTTP port that answers probes only.',
    deprecated: '--bind-address and the secure port',
  },
  port: {
    name: 'port',
    type: 'integer',
    min: 0,
    max: 65_535,
    description: 'That plain port; 10251 when only --address is given, 0 turns it off.',
    deprecated: '--secure-port',
  },
  ...accessFlags,
  ...servingFlags,
  ...klogFlags,
});
