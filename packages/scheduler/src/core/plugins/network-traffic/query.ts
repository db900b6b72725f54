import { deviceMatcher, summedRate } from '../traffic/rate-queries.js';
import type { TrafficKind } from '../traffic/traffic-kind.js';

/** What carries the traffic of other interfaces once more: bridges, bonds (their members count), tunnels, VLANs, pods. */
const NOT_PHYSICAL =
  'lo|veth.*|lxc.*|cali.*|cilium.*|cni.*|flannel.*|weave.*|vxlan.*|geneve.*|kube-.*|nodelocaldns|docker.*|podman.*|br|br[-0-9].*|virbr.*|ovs-.*|bond.*|team.*|tun.*|tap.*|wg.*|ipvs.*|dummy.*|ifb.*|.*[.@].*';

/** Bytes that the node receives, a second. */
export const NETWORK_TRAFFIC: TrafficKind = {
  name: 'NetworkTraffic',
  folder: 'network-traffic',
  signal: 'network-receive',
  unit: 'bytes per second',
  direction: 'traffic',
  measuresDevices: true,
  measuresMounts: false,
  promql: ({ range, devices }) => {
    const device = deviceMatcher(devices, NOT_PHYSICAL);
    return summedRate([`node_network_receive_bytes_total{${device}}`], range);
  },
};
