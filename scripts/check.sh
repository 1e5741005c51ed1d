#!/bin/sh
# npm run check: everything that can be said about the source without running the tests. One line a step.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/install.sh"
cd "$root"
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT

# Runs one step and keeps what it says, because two run beside each other.
step() {
  name=$1
  shift
  if output=$("$@" 2>&1); then
    echo "ok      $name"
  else
    echo "$name" >>"$kept/failed"
    printf 'FAILED  %s: %s\n%s\n' "$name" "$*" "$output"
  fi
}

# Each with one thread: threads of the compiler repeat each other's work, and the three run beside each other.
types() {
  said=$(mktemp -d)
  running=
  wrong=0
  for project in . web web/worker; do
    tsc -p "$project" --checkers 1 >"$said/of-$(basename "$project").txt" 2>&1 &
    running="$running $!"
  done
  for one in $running; do wait "$one" || wrong=1; done
  cat "$said"/*
  rm -rf "$said"
  return "$wrong"
}

step types types >"$kept/types" &
types=$!
step lockfile npm ci --dry-run --loglevel=error
step style biome check .
step unused knip
step schema node scripts/schema.ts --check
step languages node scripts/languages.ts --check
step architecture node --test scripts/architecture.test.ts
wait "$types" || echo types >>"$kept/failed"
cat "$kept/types"

[ ! -e "$kept/failed" ] || {
  echo "Not right yet: $(tr '\n' ' ' <"$kept/failed")" >&2
  exit 1
}
