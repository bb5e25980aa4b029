#!/usr/bin/env bash
# Measures a build by the pipeline of baseline/beam against one by "baseline add".
#
#   beam.sh LIST       prints what docs/SHARED.md shows
#
# LIST is one of "baseline add --list"; nothing is fetched. Both baselines lie below TMPDIR
# meanwhile, and the files of the build.
set -euo pipefail
export LC_ALL=C
[ $# -eq 1 ] || { echo "usage: beam.sh LIST" >&2; exit 2; }
list=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$(dirname "$0")/../.."
go build -o "$work/git-provenance" ./cmd/git-provenance
go build -C baseline/beam -o "$work/beam" .
export GOMODCACHE=$(go env GOMODCACHE)
echo "Machine: $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), load $(cut -d' ' -f1 /proc/loadavg), $(go version | cut -d' ' -f3,4), commit $(git rev-parse --short=12 HEAD)."
measured() { /usr/bin/time -f "$1: %U s user, %S s system, %e s, %M KB" "${@:2}" 2>&1 >/dev/null | tail -1; }
measured add "$work/git-provenance" baseline add --offline --list "$list" --baseline "$work/added"
mkdir "$work/parts"
measured beam "$work/beam" --offline --list "$list" --baseline "$work/built" --parts "$work/parts" --runner prism
for b in added built; do "$work/git-provenance" baseline compact --baseline "$work/$b" >/dev/null; done
"$work/git-provenance" baseline info --baseline "$work/added" | grep -E '^(documents|postings|bytes|digest)'
digest() { "$work/git-provenance" baseline info --baseline "$1" | grep ^digest; }
[ "$(digest "$work/added")" = "$(digest "$work/built")" ] && echo "the same bytes"
