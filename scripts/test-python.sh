#!/bin/sh
# Makes the Python environment of stories/real-clients.test.ts, with what testing/clients/requirements.txt names.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
wanted="$root/testing/clients/requirements.txt"
place="$root/node_modules/.cache/tocsin-test-python"
cmp -s "$place/installed.txt" "$wanted" && exit 0
command -v python3 >/dev/null || {
  echo 'Some tests need Python 3.10 or later, which is not installed' >&2
  exit 1
}
echo 'Installing the Python packages that tests need …' >&2
rm -rf "$place"
{ python3 -m venv "$place" && "$place/bin/python" -m pip install --quiet --disable-pip-version-check -r "$wanted"; } >&2 || {
  echo 'Python could not install the packages of testing/clients/requirements.txt (see above)' >&2
  exit 1
}
cp "$wanted" "$place/installed.txt"
