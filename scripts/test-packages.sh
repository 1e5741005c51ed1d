#!/bin/sh
# Checks that programs for the tests are installed: sh scripts/test-packages.sh PACKAGE:PROGRAM …
# On Debian, root installs missing packages; otherwise it lists them.
set -eu
# Daemons are in folders for root, and PostgreSQL's programs in a folder for their version.
PATH=$PATH:/usr/sbin:/sbin$(printf ':%s' /usr/lib/postgresql/*/bin)
missing=
for pair; do
  command -v "${pair#*:}" >/dev/null || missing="$missing ${pair%%:*}"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "Some tests need packages that are not installed; as root, run: apt-get install$missing" >&2
  exit 1
fi
echo "Installing the Debian packages that tests need:$missing …" >&2
# Tests start daemons themselves, so installing a package must not start one, nor create a PostgreSQL cluster.
policy=/usr/sbin/policy-rc.d
databases=/etc/postgresql-common/createcluster.d
made=
trap 'rm -f $made; rmdir -p $databases 2>/dev/null || :' EXIT INT TERM
if [ ! -e "$policy" ]; then
  made=$policy
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
made="$made $databases/no-database-for-tests.conf"
mkdir -p "$databases"
echo 'create_main_cluster = false' >"$databases/no-database-for-tests.conf"
install() {
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing </dev/null >&2
}
# The package lists may be missing or out of date.
install 2>/dev/null || { apt-get update -qq </dev/null >&2 && install; }
