#!/usr/bin/env bash
# Measures how well copies are found and strangers left alone.
#
#   run.sh CORPUS [quick|full|curve|fresh|sealed|unseen|later] [FLAG...]   prints tables of docs/EVALUATION.md
#
# CORPUS is a directory of some GB; what lacks there is fetched from the Go
# proxy, npm and Debian (docs/bench/corpus.sh, packages.sh, fresh.sh, sealed.sh, unseen.sh, later.sh).
# full: all languages, the default; quick: four languages and a smaller baseline;
# curve: over k and w; fresh, sealed: packages that nothing had been fitted to
# when the scoring before and the one that is were done, sealed as unknown files
# only; what was done since has seen them; unseen, later: further origins
# only, with packages chosen by chance; a rule was changed between the two. Each
# prints the CPU time it took: some ten, three, five, twelve, three and two minutes.
# Baselines, targets and the findings to be read by eye stay in CORPUS/eval/work,
# or in the directory WORK.
# FLAGs go to the evaluation: -langs go,c and -excerpts 30 make it smaller still.
set -euo pipefail
export LC_ALL=C
corpus=${1:?usage: run.sh CORPUS [quick|full|curve|fresh|sealed|unseen|later] [FLAG...]}
mode=${2:-full}
shift $(($# > 1 ? 2 : 1))
here=$(cd "$(dirname "$0")" && pwd)
case $mode in quick | full | curve | fresh | sealed | unseen | later) ;; *) echo "run.sh: unknown mode $mode" >&2; exit 2 ;; esac
mkdir -p "$corpus"; corpus=$(cd "$corpus" && pwd)
[ "$mode" = unseen ] || [ "$mode" = later ] || [ -f "$corpus/MANIFEST.tsv" ] || "$here/../bench/corpus.sh" "$corpus" >&2
[ "$mode" = unseen ] || [ "$mode" = later ] || [ -f "$corpus/eval/MANIFEST.tsv" ] || CORPUS_LIST=$here/packages.sh "$here/../bench/corpus.sh" "$corpus/eval" >&2
case $mode in fresh | sealed | unseen | later)
  [ -f "$corpus/$mode/MANIFEST.tsv" ] || CORPUS_LIST=$here/$mode.sh "$here/../bench/corpus.sh" "$corpus/$mode" >&2 ;;
esac
work=${WORK:-$corpus/eval/work}
mkdir -p "$work"; work=$(cd "$work" && pwd)
cd "$here/../.."
echo "Machine: $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), Linux $(uname -r), $(go version | cut -d' ' -f3,4)."
echo "Commit: $(git rev-parse --short=12 HEAD 2>/dev/null || echo none)$(git diff --quiet HEAD 2>/dev/null || echo ' and uncommitted changes')."
echo
go run ./scanner/eval measure -goroot "$(go env GOROOT)" -corpus "$corpus" -work "$work" -mode "$mode" "$@" >"$work/$mode.md" 2>"$work/log" ||
  { tail -20 "$work/log" >&2; exit 1; }
cat "$work/$mode.md"
