import { quoted } from '../traffic/rate-queries.js';
import type { TrafficKind } from '../traffic/traffic-kind.js';

/** In memory, on top of another file system, or never to be filled. */
const UNREAL = 'tmpfs|devtmpfs|ramfs|rootfs|overlay|aufs|squashfs|iso9660|autofs|fuse\\..*';

/** Space that a user may still take, of the size of the file system, percent. File systems without a size don't count. */
export const DISK_SPACE_TRAFFIC: TrafficKind = {
  name: 'DiskSpaceTraffic',
  folder: 'disk-space-traffic',
  signal: 'disk-space-free',
  unit: 'percent',
  direction: 'free',
  measuresDevices: false,
  measuresMounts: true,
  promql: ({ mountPoint }) => {
    const selector = `{mountpoint=${quoted(mountPoint)}, fstype!~${quoted(UNREAL)}}`;
    const share = `node_filesystem_avail_bytes${selector} / (node_filesystem_size_bytes${selector} > 0)`;
    return `100 * min without (device, device_error, fstype, mountpoint) (${share})`;
  },
};
