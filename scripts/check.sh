#!/bin/sh
# npm run check: everything that can be said about the source without running the tests. One line a step.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
cd "$root"
failed=

step() {
  name=$1
  shift
  if output=$("$@" 2>&1); then
    echo "ok      $name"
  else
    failed="$failed $name"
    printf 'FAILED  %s: %s\n%s\n' "$name" "$*" "$output"
  fi
}

step types tsc -p .
step web-types tsc -p web
step worker-types tsc -p web/worker
step lockfile npm ci --dry-run --loglevel=error
step style biome check .
step unused knip
step schema node scripts/schema.ts --check
step languages node scripts/languages.ts --check
step architecture node --test scripts/architecture.test.ts

[ -z "$failed" ] || {
  echo "Not right yet:$failed" >&2
  exit 1
}
