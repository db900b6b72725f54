/**
 * How series get their labels in well-known installations, written down from their public charts and manifests as
 * relabelings: what service discovery knows of a target, and what becomes of it. Prometheus adds `instance` itself,
 * from the address that it scrapes.
 */
export interface ServiceMonitor {
  /** A sentence about the installation. */
  readonly what: string;
  readonly node: string;
  /** Where the exporter is scraped. */
  readonly address: string;
  readonly exporter: 'node-exporter' | 'windows_exporter' | 'an older windows_exporter';
  /** Label → value, by relabelings; as the operator or the chart writes them. */
  readonly labels: Readonly<Record<string, string>>;
  /** Whether the node's own status holds the address. */
  readonly isNodeAddress: boolean;
  /** Whether kube_pod_info knows the pod of `labels`. */
  readonly hasPodInfo?: boolean;
  /** Whether kube_node_info has the address as the node's internal one. */
  readonly hasNodeInfo?: boolean;
  /** Host name that the exporter's node_uname_info tells. */
  readonly hostname?: string;
  /** Its counters begin anew so often. */
  readonly rebootsEverySeconds?: number;
  /** By which rule its node is found with access to the cluster, and without: undefined, not at all. */
  readonly rule: string;
  readonly ruleWithoutCluster: string | undefined;
}

/** What the operator gives to each target of a ServiceMonitor. */
function operatorLabels(job: string, pod: string, endpoint: string): Readonly<Record<string, string>> {
  const service = `kps-prometheus-${job}`;
  return { job, namespace: 'monitoring', service, pod: `${service}-${pod}`, container: job, endpoint };
}

export const SERVICE_MONITORS: readonly ServiceMonitor[] = [
  {
    what: 'kube-prometheus-stack as it comes: instance is the address, no label names the node',
    node: 'ip-10-1-0-1.eu-west-1.compute.internal',
    address: '10.1.0.1:9100',
    exporter: 'node-exporter',
    labels: operatorLabels('node-exporter', 'a1b2c', 'http-metrics'),
    isNodeAddress: true,
    hasPodInfo: true,
    hasNodeInfo: true,
    hostname: 'ip-10-1-0-1.eu-west-1.compute.internal',
    rule: 'address',
    ruleWithoutCluster: 'kube_pod_info',
  },
  {
    what: "kube-prometheus-stack with the relabeling of its values' comment: nodename is the pod's node",
    node: 'i-0aaaabbbbccccdddd',
    address: '10.1.0.2:9100',
    exporter: 'node-exporter',
    labels: { ...operatorLabels('node-exporter', 'd3e4f', 'http-metrics'), nodename: 'i-0aaaabbbbccccdddd' },
    isNodeAddress: true,
    hasPodInfo: true,
    hostname: 'ip-10-1-0-2.eu-west-1.compute.internal',
    rule: 'address',
    ruleWithoutCluster: 'kube_pod_info',
  },
  {
    what: "a relabeling that sets node to the pod's node",
    node: 'worker-3',
    address: '10.1.0.3:9100',
    exporter: 'node-exporter',
    labels: { ...operatorLabels('node-exporter', 'g5h6i', 'http-metrics'), node: 'worker-3' },
    isNodeAddress: true,
    rule: 'label node',
    ruleWithoutCluster: 'label node',
  },
  {
    what: "a relabeling that sets kubernetes_node to the pod's node",
    node: 'worker-4',
    address: '10.1.0.4:9100',
    exporter: 'node-exporter',
    labels: { ...operatorLabels('node-exporter', 'j7k8l', 'http-metrics'), kubernetes_node: 'worker-4' },
    isNodeAddress: true,
    rule: 'label kubernetes_node',
    ruleWithoutCluster: 'label kubernetes_node',
  },
  {
    what: "kube-prometheus and OpenShift: instance is relabelled to the pod's node",
    node: 'worker-5.lab.example',
    address: '10.1.0.5:9100',
    exporter: 'node-exporter',
    labels: { ...operatorLabels('node-exporter', 'm9n0o', 'https'), instance: 'worker-5.lab.example' },
    isNodeAddress: true,
    rule: 'instance',
    ruleWithoutCluster: 'instance',
  },
  {
    what: 'the plain prometheus chart: a job over endpoints, with the label node',
    node: 'worker-6',
    address: '10.1.0.6:9100',
    exporter: 'node-exporter',
    labels: {
      job: 'kubernetes-service-endpoints',
      namespace: 'monitoring',
      service: 'prometheus-prometheus-node-exporter',
      node: 'worker-6',
      app_kubernetes_io_name: 'prometheus-node-exporter',
    },
    isNodeAddress: true,
    rule: 'label node',
    ruleWithoutCluster: 'label node',
  },
  {
    what: 'an exporter off the host network: instance is the address of its pod',
    node: 'worker-7',
    address: '172.16.3.7:9100',
    exporter: 'node-exporter',
    labels: operatorLabels('node-exporter', 'p1q2r', 'http-metrics'),
    isNodeAddress: false,
    hasPodInfo: true,
    rule: 'kube_pod_info',
    ruleWithoutCluster: 'kube_pod_info',
  },
  {
    what: 'a ScrapeConfig of addresses that only kube-state-metrics knows',
    node: 'worker-8',
    address: '10.9.0.8:9100',
    exporter: 'node-exporter',
    labels: { job: 'scrapeConfig/monitoring/nodes' },
    isNodeAddress: false,
    hasNodeInfo: true,
    rule: 'kube_node_info',
    ruleWithoutCluster: 'kube_node_info',
  },
  {
    what: 'an exporter behind a name that only its own kernel connects with the node',
    node: 'worker-9',
    address: 'exporter-9.lan.example:9100',
    exporter: 'node-exporter',
    labels: { job: 'node' },
    isNodeAddress: false,
    hostname: 'worker-9',
    rule: 'node_uname_info',
    // The name stands for itself there.
    ruleWithoutCluster: undefined,
  },
  {
    what: 'dual stack: instance is an IPv6 address in brackets',
    node: 'worker-10',
    address: '[fd00:10::a]:9100',
    exporter: 'node-exporter',
    labels: operatorLabels('node-exporter', 's3t4u', 'http-metrics'),
    isNodeAddress: true,
    hasPodInfo: true,
    rule: 'address',
    ruleWithoutCluster: 'kube_pod_info',
  },
  {
    what: 'a machine that reboots again and again: its counters begin anew (C25)',
    node: 'worker-11',
    address: '10.1.0.11:9100',
    exporter: 'node-exporter',
    labels: { ...operatorLabels('node-exporter', 'y7z8a', 'http-metrics'), instance: 'worker-11' },
    isNodeAddress: true,
    rebootsEverySeconds: 3,
    rule: 'instance',
    ruleWithoutCluster: 'instance',
  },
  {
    what: 'Windows in kube-prometheus-stack: job windows-exporter, port 9182',
    node: 'win-1',
    address: '10.1.0.21:9182',
    exporter: 'windows_exporter',
    labels: operatorLabels('windows-exporter', 'v5w6x', 'metrics'),
    isNodeAddress: true,
    hasPodInfo: true,
    rule: 'address',
    ruleWithoutCluster: 'kube_pod_info',
  },
  {
    what: 'an older windows_exporter, its memory under the names of the collectors os and cs, scraped by node name',
    node: 'win-2',
    address: '10.1.0.22:9182',
    exporter: 'an older windows_exporter',
    labels: { job: 'windows-exporter', instance: 'win-2' },
    isNodeAddress: true,
    rule: 'instance',
    ruleWithoutCluster: 'instance',
  },
];
