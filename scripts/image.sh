#!/bin/sh
# npm run image: builds the container image, the Debian package and the chart without a registry, and tries them. As root, on Debian.
# With --platform linux/arm64 or linux/amd64, for that platform, under emulation if it is not the one of this machine.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
cd "$root"
[ "$(id -u)" = 0 ] || {
  echo 'npm run image makes file systems and containers, so it needs root: sudo npm run image' >&2
  exit 1
}
sh scripts/test-packages.sh buildah:buildah runc:runc mmdebstrap:mmdebstrap binutils:strip systemd-container:systemd-nspawn
# The emulators, and what mmdebstrap recognizes them by. Without them, only what needs none is done.
case "$*" in
*--platform*) sh scripts/test-packages.sh qemu-user-static:qemu-aarch64-static arch-test:arch-test || : ;;
esac
exec node scripts/image/run.ts "$@"
