#!/bin/sh
# Removes what a running service never reads from an installed package: sh trim.sh FOLDER. Halves its size.
set -eu
cd "$1/node_modules"
# The package keeps a second name of the program, and headers and npm beside it.
rm -rf node/node_modules/node-linux-*
strip --strip-unneeded node/bin/node
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.tsx' -o -name '*.a' \
  -o -name '*.flow' -o \( -iname '*.md' ! -iname 'licen[cs]e*' \) \) -delete
# Folders beside the manifest of a package.
find . -type d \( -name test -o -name tests -o -name __tests__ -o -name benchmark -o -name benchmarks -o -name docs \
  -o -name examples \) -prune -print | while read -r folder; do
  [ ! -f "${folder%/*}/package.json" ] || rm -rf "$folder"
done
find . -type d -empty -delete
