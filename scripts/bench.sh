#!/bin/sh
# Figures of this machine, each beside what the bare database does in the same run; a word first measures something else.
set -eu
cd "$(dirname "$0")/.."
usage='npm run bench -- [SECONDS]                     pages and moments, beside the bare database (8 s each if left out)
npm run bench -- pages [SECONDS]               of these, only pages (8)
npm run bench -- storm [SECONDS]               of these, only moments, and pages meanwhile (8)
npm run bench -- cost [COUNT]                  the processor time of a page, an event and a moment (5,000 of each)
npm run bench -- day [MINUTES]                 a day of traffic within MINUTES (60), with a ledger of all that was accepted
npm run bench -- growth [FINISHED [TIMES]]     what requests cost with 1,000 and with FINISHED pages and moments (1,000,000)
npm run bench -- large [FINISHED [PEOPLE]]     what each view costs in a small and in a large organization (5,000,000 and 500)
npm run bench -- scale [SECONDS]               one, two and four processes over one database, then each replaced under load
npm run bench -- lists [quick]                 every list of the dashboard in a large organization
npm run bench -- planning [quick]              fair plans and repairs, beside the greedy form
npm run bench -- schedules [quick]             from the file of an operator to published shifts
npm run bench -- reports                       reports over a year
npm run bench -- sources [SECONDS]             events of page sources beside /page/team, and a flood of one dedup key (60 s)
npm run bench -- goalert PROGRAM [SECONDS]     a page of a quiet team during a flood (10 s), beside the goalert binary PROGRAM
npm run bench -- uploads [HOW_MANY]            files of 10 MiB at once (80), their memory, and what pages wait'
wrong() {
  printf 'bench: %s\n\n%s\n' "$1" "$usage" >&2
  exit 2
}
measurement=run
takes=numbers
program=
case "${1-}" in
  cost | day | growth | large | pages | scale | sources | storm | uploads) measurement=$1 && shift ;;
  lists | planning | schedules) measurement=$1 && takes=quick && shift ;;
  reports) measurement=$1 && takes=nothing && shift ;;
  goalert)
    measurement=$1 && shift
    [ -x "${1-}" ] || wrong "goalert needs the path of a goalert binary, and \"${1-}\" is none"
    case "$1" in /*) program=$1 ;; *) program=$PWD/$1 ;; esac
    shift
    ;;
  -h | --help) printf '%s\n' "$usage" && exit 0 ;;
esac
for word in "$@"; do
  if [ "$takes" = numbers ]; then
    case "$word" in
      '' | *[!0-9.]* | *.*.*) wrong "\"$word\" is neither a measurement nor a number" ;;
      *[1-9]*) ;;
      *) wrong "\"$word\" is too little; give a number above 0" ;;
    esac
  elif [ "$word" != "$takes" ]; then
    wrong "$measurement does not take \"$word\""
  fi
done
exec sh scripts/node.sh "bench/$measurement.ts" ${program:+"$program"} "$@"
