# Sourced by test.sh. Sets the clock of every program that the tests start to $at, with libfaketime; it runs on from there.
# Installed before the clock is set, because certificates of package servers are not valid in other years.
sh scripts/test-packages.sh faketime:faketime gcc:cc
for library in /usr/lib/*/faketime/libfaketime.so.1 /usr/lib/faketime/libfaketime.so.1; do
  [ ! -f "$library" ] || break
done
[ -f "$library" ] || {
  echo "--at needs libfaketime, which is not where Debian's package faketime puts it." >&2
  exit 1
}
seconds=$(node -p 'Math.round((Date.parse(process.argv[1]) - Date.now()) / 1000)' "$at")
case "$seconds" in
NaN)
  echo "--at $at is not a time; write one such as 2027-12-31T23:50 or 2028-02-29T12:00Z." >&2
  exit 2
  ;;
-*) FAKETIME=${seconds}s ;;
*) FAKETIME=+${seconds}s ;;
esac
# A kept database runs on the real clock. Timers use the monotonic clock, which does not change.
unset KEEP_TEST_DATABASE
FAKETIME_DONT_FAKE_MONOTONIC=1
# Otherwise waits on the monotonic clock end at once, and Chromium loops.
FAKETIME_FORCE_MONOTONIC_FIX=0
waits=$root/node_modules/.tocsin-faked-time.so
# Renamed into place, because programs of another run may be loading it.
cc -O2 -fPIC -shared -nostdlib -o "$waits.$$" scripts/faked-time.c
mv "$waits.$$" "$waits"
LD_PRELOAD="$waits $library"
export FAKETIME FAKETIME_DONT_FAKE_MONOTONIC FAKETIME_FORCE_MONOTONIC_FIX LD_PRELOAD
echo "The tests run as if it were $(node -p 'new Date().toString()')." >&2
