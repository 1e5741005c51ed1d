#!/bin/sh
# Collects the root file system of the image from the Debian packages of this machine: sh system.sh FOLDER
set -eu
folder=$1
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)

mkdir -p "$folder"
# Converters between character sets are never used, and documentation is not read; licences stay.
# gcc-…-base holds the licence of three of these libraries.
# shellcheck disable=SC2046 # one name or several
dpkg -L base-files busybox-static libatomic1 libc6 libgcc-s1 libstdc++6 netbase tini \
  $(dpkg-query --show --showformat '${Package}\n' 'gcc-*-base') | sort -u |
  grep -vE '^/usr/(lib/[^/]*/gconv|share/(man|info|locale|lintian|bug)|share/doc/[^/]*/[^/]*(changelog|NEWS|README|TODO|AUTHORS))' |
  tar --create --no-recursion --files-from=- 2>/dev/null | tar --extract --directory "$folder"

# A shell and the usual programs, for people who look into the container.
for name in $(busybox --list); do
  [ -e "$folder/usr/bin/$name" ] || [ -e "$folder/usr/sbin/$name" ] || ln -s busybox "$folder/usr/bin/$name"
done

# PostgreSQL refuses a user without a name.
echo 'root:x:0:0:root:/root:/bin/sh
tocsin:x:10001:10001:Tocsin:/data:/bin/sh' >"$folder/etc/passwd"
echo 'root:x:0:
tocsin:x:10001:' >"$folder/etc/group"
mkdir -p "$folder/data" "$folder/tmp" "$folder/proc" "$folder/sys" "$folder/dev" "$folder/run"
chown 10001:10001 "$folder/data"
chmod 0700 "$folder/data"
chmod 1777 "$folder/tmp"

sed 's,=PROGRAM$,=/opt/tocsin,' "$here/tocsin.sh" >"$folder/usr/bin/tocsin"
chmod 0755 "$folder/usr/bin/tocsin"
cp "$here/healthy.js" "$folder/usr/lib/tocsin-healthy.mjs"
