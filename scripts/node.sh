#!/bin/sh
# Runs the pinned node with what is installed: sh scripts/node.sh FILE ARGS
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
exec node "$@"
