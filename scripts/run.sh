#!/bin/sh
# Runs tocsin from the source: sh scripts/run.sh ARGS. The process becomes tocsin itself, so signals reach it.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
if [ "${1:-}" = serve ] && [ -f "$root/web/index.html" ]; then
  . "$root/scripts/dashboard.sh"
fi
# Smaller young generations: less memory under load, and hardly slower.
exec node --max-semi-space-size=8 "$root/src/main.ts" "$@"
