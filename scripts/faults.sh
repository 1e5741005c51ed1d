#!/bin/sh
# npm run faults [-- --only NAME --seed N --seconds N --short]: what is promised, while everything goes wrong.
set -eu
cd "$(dirname "$0")/.."
exec sh scripts/node.sh faults/run.ts "$@"
