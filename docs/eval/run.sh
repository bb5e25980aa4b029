#!/usr/bin/env bash
# Measures how well copies are found and strangers left alone.
#
#   run.sh CORPUS [quick|full|curve] [FLAG...]   prints tables of docs/EVALUATION.md
#
# CORPUS is a directory of some GB; what lacks there is fetched from the Go
# proxy, npm and Debian (docs/bench/corpus.sh, packages.sh). full: all languages,
# the default; quick: four languages and a smaller baseline; curve: over k and w.
# Each prints the CPU time it took: some ten, three and five minutes. Baselines,
# targets and the findings to be read by eye stay in CORPUS/eval/work.
# FLAGs go to the evaluation: -langs go,c and -excerpts 30 make it smaller still.
set -euo pipefail
export LC_ALL=C
corpus=${1:?usage: run.sh CORPUS [quick|full] [FLAG...]}
mode=${2:-full}
shift $(($# > 1 ? 2 : 1))
here=$(cd "$(dirname "$0")" && pwd)
case $mode in quick | full | curve) ;; *) echo "run.sh: unknown mode $mode" >&2; exit 2 ;; esac
mkdir -p "$corpus"; corpus=$(cd "$corpus" && pwd)
[ -f "$corpus/MANIFEST.tsv" ] || "$here/../bench/corpus.sh" "$corpus" >&2
[ -f "$corpus/eval/MANIFEST.tsv" ] || CORPUS_LIST=$here/packages.sh "$here/../bench/corpus.sh" "$corpus/eval" >&2
cd "$here"
work=$corpus/eval/work
mkdir -p "$work"
echo "Machine: $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), Linux $(uname -r), $(go version | cut -d' ' -f3,4)."
echo "Commit: $(git rev-parse --short=12 HEAD 2>/dev/null || echo none)$(git diff --quiet HEAD 2>/dev/null || echo ' and uncommitted changes')."
echo
GOROOT=$(go env GOROOT) go test . -run 'TestEvaluate$' -count=1 -v -timeout 3h -args \
  -corpus "$corpus" -work "$work" -out "$work/$mode.md" -full="$([ "$mode" = full ] && echo true || echo false)" -curve="$([ "$mode" = curve ] && echo true || echo false)" "$@" >"$work/log" 2>&1 ||
  { tail -20 "$work/log" >&2; exit 1; }
cat "$work/$mode.md"
