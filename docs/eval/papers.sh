#!/usr/bin/env bash
# Repeats the experiments of the papers behind the program: see docs/ANCESTORS.md.
#
#   papers.sh DIR             writes tables (TSV) and plots (SVG) to docs/papers, from
#                             the corpus in DIR/src; docs/bench/corpus.sh lays it out
#                             if it is not there
#   papers.sh DIR clusters CORPUS…
#                             clusters the files of DIR/src and of further directories,
#                             in two orders, with the CPU time of each
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${1:?usage: papers.sh DIR [clusters CORPUS…]}
[ -d "$dir/src" ] || "$here/../bench/corpus.sh" "$dir"
dir=$(cd "$dir" && pwd)
cd "$root"

if [ "${2:-}" != clusters ]; then
  exec go run ./scanner/eval papers -out docs/papers "$dir/src"
fi
shift 2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
go build -o "$work/git-provenance" ./cmd/git-provenance
TIMEFORMAT='%U s of CPU in the program, %S s in the system, %R s elapsed'
forward=("$dir/src" "$@"); backward=()
for d in "${forward[@]}"; do backward=("$d" ${backward[@]+"${backward[@]}"}); done
time "$work/git-provenance" cluster "${forward[@]}" --format json --output "$work/a.json"
time "$work/git-provenance" cluster "${backward[@]}" --workers 1 --format json --output "$work/b.json"
grep -E '"(files|contents)":' "$work/a.json"
echo "clusters: $(grep -c '"representative"' "$work/a.json")"
cmp "$work/a.json" "$work/b.json" && echo "both orders give the same bytes"
