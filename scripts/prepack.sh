#!/bin/sh
# npm pack runs this first: compiles the service, builds the dashboard, and adds the lock file, the list of
# materials and the licences, all of which the package holds.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
. "$root/scripts/dashboard.sh"
node "$root/scripts/compile.ts"
node "$root/scripts/materials.ts"
# npm never packs package-lock.json, only a file of this name.
cp "$root/package-lock.json" "$root/npm-shrinkwrap.json"
