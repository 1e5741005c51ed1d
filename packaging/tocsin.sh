#!/bin/sh
# The command `tocsin` where PROGRAM holds the package and its Node.js. The process becomes tocsin, so signals reach it.
program=PROGRAM
# shellcheck disable=SC2046 # several flags
exec "$program/node_modules/node/bin/node" $(cat "$program/bin/v8-flags") "$program/dist/src/main.js" "$@"
