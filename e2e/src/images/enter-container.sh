# Sets up the mounts of a container in a mount and a process namespace of its own (`unshare` has made them) and becomes
# the command: root read-only, an empty /tmp, a /dev with next to nothing, and what else is to be mounted.
#   enter-container.sh ROOT [SOURCE TARGET ro|rw]… -- COMMAND…
# The targets exist already.
set -eu
root=$1
shift
mount --bind "$root" "$root"
mount --options remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero random urandom; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount --options remount,ro "$root/dev"
while [ "$1" != -- ]; do
  mount --bind "$1" "$root$2"
  mount --options "remount,bind,$3" "$root$2"
  shift 3
done
shift
exec "$@"
