#!/usr/bin/env bash
# Fits the weights of scanner/score again. See docs/SCORE.md.
#
#   refit.sh CORPUS [FLAG...]
#
# CORPUS is a directory of some GB; what lacks there is fetched as by run.sh. The
# readings of all three sets go to CORPUS/eval/refit, or to the directory WORK; those
# that are there are not made again. FLAGs go to the search: -from plain begins it
# with the scoring of two generations ago, -from FILE with other weights.
# It ends with the score: how often labelled findings are true (calibrate).
# It prints what the search found; the sealed set is not looked at. That is for
#
#   go run ./scanner/eval judge -work CORPUS/eval/refit -weights CORPUS/eval/refit/weights.json
set -euo pipefail
export LC_ALL=C
corpus=${1:?usage: refit.sh CORPUS [FLAG...]}
shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$corpus"; corpus=$(cd "$corpus" && pwd)
[ -f "$corpus/MANIFEST.tsv" ] || "$here/../bench/corpus.sh" "$corpus" >&2
[ -f "$corpus/eval/MANIFEST.tsv" ] || CORPUS_LIST=$here/packages.sh "$here/../bench/corpus.sh" "$corpus/eval" >&2
for list in fresh sealed; do
  [ -f "$corpus/$list/MANIFEST.tsv" ] || CORPUS_LIST=$here/$list.sh "$here/../bench/corpus.sh" "$corpus/$list" >&2
done
work=${WORK:-$corpus/eval/refit}
mkdir -p "$work"; work=$(cd "$work" && pwd)
cd "$here/../.."
for set in train validate sealed; do
  [ -f "$work/$set.readings.gz" ] || go run ./scanner/eval readings -goroot "$(go env GOROOT)" -corpus "$corpus" -work "$work" -set "$set"
done
go run ./scanner/eval effects -work "$work"
go run ./scanner/eval refit -work "$work" "$@"
go run ./scanner/eval calibrate
