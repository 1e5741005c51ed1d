#!/bin/sh
# Figures of this machine, each beside what the bare database does in the same run; with `day` first, a day of traffic.
set -eu
cd "$(dirname "$0")/.."
measurement=run
case "${1-}" in day)
  measurement=day
  shift
  ;;
esac
exec sh scripts/node.sh "bench/$measurement.ts" "$@"
