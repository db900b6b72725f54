import { deviceMatcher, summedRate } from '../traffic/rate-queries.js';
import type { TrafficKind } from '../traffic/traffic-kind.js';

/** What lies on other disks, or in memory: mapped and RAID devices, partitions, loops. */
const NOT_PHYSICAL =
  'dm-.*|md.*|drbd.*|bcache.*|loop.*|ram.*|zram.*|sr.*|fd.*|nbd.*|rbd.*|(h|s|v|xv)d[a-z]+[0-9]+|(nvme[0-9]+n[0-9]+|mmcblk[0-9]+)p[0-9]+';

/** Bytes read and written, a second. */
export const DISK_TRAFFIC: TrafficKind = {
  name: 'DiskTraffic',
  folder: 'disk-traffic',
  signal: 'disk-bytes',
  unit: 'bytes per second',
  direction: 'traffic',
  measuresDevices: true,
  measuresMounts: false,
  promql: ({ range, devices }) => {
    const device = deviceMatcher(devices, NOT_PHYSICAL);
    const counters = ['node_disk_read_bytes_total', 'node_disk_written_bytes_total'];
    return summedRate(
      counters.map((counter) => `${counter}{${device}}`),
      range,
    );
  },
};
