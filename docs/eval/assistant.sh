#!/usr/bin/env bash
# Scans code that a language model recited (recited.txtar) and code that it wrote by itself (independent.txtar), as a
# coding assistant does, and counts what is found: ASSISTANTS and EVALUATION-HISTORY have the results.
#
#   docs/eval/assistant.sh WORK
#
# WORK gets the baselines, unless it has them: the open baseline (900 packages of Go, npm and Debian), the packages that
# recited.tsv asks for, collections of algorithms, other repositories of their languages, and older versions of 14 packages.
# The first run downloads some gigabytes. What a registry does not have any more is left out; the tables say so.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?usage: assistant.sh WORK}"; work=$(cd "$1" && pwd)
(cd "$here/../.." && go build -o "$work/git-provenance" ./cmd/git-provenance)
goroot=$(go env GOROOT)
export HOME=$work/home XDG_DATA_HOME=$work/home/data XDG_CONFIG_HOME=$work/home/config GIT_CEILING_DIRECTORIES=$work
mkdir -p "$HOME"
gp=$work/git-provenance base=$work/origins older=$work/older

[ -e "$work/open.done" ] || "$gp" baseline make default --available || [ $? = 2 ]
touch "$work/open.done"

add() { "$gp" baseline add --baseline "$@" >>"$work/added.log" 2>&1 || echo "not added: $*"; }
others="App-vNext/Polly AutoMapper/AutoMapper DapperLib/Dapper InsertKoinIO/koin TheAlgorithms/Java TheAlgorithms/Rust
  clap-rs/clap emirpasic/gods guzzle/guzzle keon/algorithms sidekiq/sidekiq sinatra/sinatra square/okhttp symfony/symfony
  tokio-rs/tokio trekhleb/javascript-algorithms"
if ! [ -e "$work/origins.done" ]; then
  add "$base" "$goroot"
  for n in $others $(grep -v '^#' "$here/recited.tsv" | cut -f2 | sed -n 's|^pkg:github/||p' | sort -u | grep -vE '^(torvalds/linux|freebsd/freebsd-src|rust-lang/rust)$'); do
    add "$base" --versions spread:3 "git+https://github.com/$n"
  done
  for p in $(grep -v '^#' "$here/recited.tsv" | cut -f2 | grep -E '^pkg:(deb|npm|golang)/' | grep -v '^pkg:golang/std$' | sort -u); do
    add "$base" "$p"
  done
  for p in npm/{express,axios,classnames,underscore,mitt,tslib,lodash,rxjs,redux,jquery,ms} \
    golang/{golang.org/x/sync,github.com/julienschmidt/httprouter,github.com/spf13/cobra}; do
    add "$older" --versions spread:5 "pkg:$p"
  done
  touch "$work/origins.done"
fi

rm -rf "$work/recited" "$work/independent"
for set in recited independent; do
  python3 "$here/assistant.py" unpack "$here/$set.txtar" "$work/$set"
  (cd "$work/$set" && "$gp" scan . --baseline default --baseline "$base" --baseline "$older" --format json --output "$work/$set.json") || [ $? = 1 ]
done
for b in default "$base" "$older"; do "$gp" baseline list --baseline "$b"; done | awk '/^pkg:/ {print $1}' >"$work/packages"
python3 "$here/assistant.py" count "$here/recited.tsv" "$work/recited" "$work/recited.json" "$work/independent.json" "$work/packages"
