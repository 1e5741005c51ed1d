#!/bin/sh
# npm test [-- FILE …]: every test, or those files, against a real PostgreSQL.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
cd "$root"
exec node scripts/test.ts "$@"
