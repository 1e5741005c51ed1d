#!/bin/sh
# npm test [-- FILE …]: every test, or those files, against a real PostgreSQL.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
cd "$root"

# What they open in it is the dashboard as people get it.
. "$root/scripts/dashboard.sh"

# Tests in a real browser fail without one; all the others can do without.
if grep -rqs --include='*.test.ts' --include='*.test.tsx' playwright-core web stories; then
  sh scripts/test-packages.sh chromium:chromium || :
fi
# The real senders of some stories; those fail without them, and say so.
case "$*" in
'' | *stories/real-*)
  sh scripts/test-packages.sh prometheus-alertmanager:prometheus-alertmanager icinga2-bin:icinga2 || :
  ;;
esac
case "$*" in
'' | *stories/pooler*)
  sh scripts/test-packages.sh pgbouncer:pgbouncer || :
  ;;
esac
case "$*" in
'' | *stories/older-postgres*)
  sh scripts/test-packages.sh postgresql:initdb || :
  ;;
esac
exec node scripts/test.ts "$@"
