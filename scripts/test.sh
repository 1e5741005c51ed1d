#!/bin/sh
# npm test [-- [--at TIME] [FILE …]]: every test, or those files, against a real PostgreSQL. With --at, services, database,
# browser and tests all believe that the run begins at TIME, such as 2027-12-31T23:50 (in the zone of TZ) or 2028-02-29T12:00Z.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
cd "$root"

at=
case "${1:-}" in
--at)
  [ $# -gt 1 ] || { echo '--at needs a time, such as --at 2027-12-31T23:50' >&2; exit 2; }
  at=$2
  shift 2
  ;;
--at=*)
  at=${1#--at=}
  shift
  ;;
esac

# What they open in it is the dashboard as people get it.
. "$root/scripts/dashboard.sh"

# Tests in a real browser fail without one; all the others can do without.
if grep -rqs --include='*.test.ts' --include='*.test.tsx' playwright-core web stories; then
  sh scripts/test-packages.sh chromium:chromium chromium-headless-shell:chromium-headless-shell || :
fi
# The real senders of some stories; those fail without them, and say so.
case "$*" in
'' | *stories/real-*)
  sh scripts/test-packages.sh prometheus-alertmanager:prometheus-alertmanager icinga2-bin:icinga2 \
    nagios4-core:nagios4 zabbix-server-pgsql:zabbix_server || :
  ;;
esac
case "$*" in
'' | *stories/real-clients* | *stories/dialect-clients*) sh scripts/test-python.sh || : ;;
esac
case "$*" in
'' | *stories/pooler*)
  sh scripts/test-packages.sh pgbouncer:pgbouncer || :
  ;;
esac
case "$*" in
'' | *stories/older-postgres* | *stories/fail-over*)
  sh scripts/test-packages.sh postgresql:initdb || :
  ;;
esac
[ -z "$at" ] || . "$root/scripts/faked-time.sh"
exec node scripts/test.ts "$@"
