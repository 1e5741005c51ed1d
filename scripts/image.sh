#!/bin/sh
# npm run image: builds the container image, the Debian package and the chart without a registry, and tries them. As root, on Debian.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
cd "$root"
[ "$(id -u)" = 0 ] || {
  echo 'npm run image makes file systems and containers, so it needs root: sudo npm run image' >&2
  exit 1
}
sh scripts/test-packages.sh buildah:buildah runc:runc mmdebstrap:mmdebstrap binutils:strip systemd-container:systemd-nspawn
exec node scripts/image/run.ts "$@"
