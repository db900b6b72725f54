import { defineOptions } from '@catamaran/platform';

/** Which queries Prometheus is asked, and how its series find their nodes. */
export const prometheusOptions = defineOptions({
  prometheusCpuQuery: {
    name: 'prometheus-cpu-query',
    type: 'string',
    default: '',
    description:
      'PromQL for the CPU utilisation of each node instead of the built-in queries. With $window it is the average over that range; without, utilisation now. Needs --prometheus-cpu-unit.',
  },
  prometheusCpuUnit: {
    name: 'prometheus-cpu-unit',
    type: 'string',
    choices: ['ratio', 'percent'],
    description: 'Unit of --prometheus-cpu-query: ratio (0 to 1) or percent (0 to 100).',
  },
  prometheusMemoryQuery: {
    name: 'prometheus-memory-query',
    type: 'string',
    default: '',
    description: 'The same for memory. Needs --prometheus-memory-unit.',
  },
  prometheusMemoryUnit: {
    name: 'prometheus-memory-unit',
    type: 'string',
    choices: ['ratio', 'percent'],
    description: 'Unit of --prometheus-memory-query: ratio (0 to 1) or percent (0 to 100).',
  },
  prometheusMatcher: {
    name: 'prometheus-matcher',
    type: 'string',
    default: '',
    description:
      'Matcher added to the built-in queries where several clusters share a store, such as cluster="blue".',
  },
  prometheusNodeLabel: {
    name: 'prometheus-node-label',
    type: 'string',
    default: '',
    description: "Label that holds the node's name, asked before node, kubernetes_node and instance.",
  },
});
