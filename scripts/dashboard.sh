# Sourced by run.sh: builds the dashboard when its source is newer than what was built. Needs $root and install.sh.

dashboard_is_current() {
  built="$root/web/dist/index.html"
  [ -f "$built" ] || return 1
  newer=$(find "$root/web" "$root/languages" "$root/package-lock.json" -path "$root/web/dist" -prune -o -type f -newer "$built" -print)
  # The dashboard imports nothing of src but its contracts.
  shared=$(find "$root/src" -name '*contract.ts' -newer "$built")
  # It shows these pages (web/src/webhooks/guide.tsx).
  guides=$(find "$root/docs/integrations" "$root/docs/drop-in" "$root/docs/heartbeats.md" -name '*.md' -newer "$built")
  [ -z "$newer$shared$guides" ]
}

build_dashboard() {
  echo 'Building the dashboard …' >&2
  (cd "$root" && vite build web --logLevel warn </dev/null) >&2 || {
    echo 'The dashboard could not be built (see above).' >&2
    exit 1
  }
}

if ! dashboard_is_current; then
  lock_install
  dashboard_is_current || build_dashboard
  unlock_install
fi
