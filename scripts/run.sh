#!/bin/sh
# Runs tocsin from the source: sh scripts/run.sh ARGS. The process becomes tocsin itself, so signals reach it.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
if [ "${1:-}" = serve ] && [ -f "$root/web/index.html" ]; then
  . "$root/scripts/dashboard.sh"
fi
# Smaller generations, collected sooner, and nothing kept that is free: half of the memory under load, hardly slower.
# shellcheck disable=SC2046 # several flags
exec node $(cat "$root/bin/v8-flags") "$root/src/main.ts" "$@"
