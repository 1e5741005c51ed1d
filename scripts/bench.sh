#!/bin/sh
# Figures of this machine, each beside what the bare database does in the same run.
set -eu
cd "$(dirname "$0")/.."
exec sh scripts/node.sh bench/run.ts "$@"
