#!/usr/bin/env bash
# Measures baselines of any size, up to many times one of real code.
#
#   scale.sh BASELINE [TIMES...]     prints a table of docs/SCALE.md
#
# BASELINE is one of real code in one segment: a directory. For each of TIMES a baseline
# is drawn from it that is so many times as large, with 7 bytes of disk a posting, and
# removed again. Cold is a page cache without the file, where the file system lets a user
# drop that; TMPDIR says where baselines lie.
set -euo pipefail
export LC_ALL=C
[ $# -ge 1 ] || { echo "usage: scale.sh BASELINE [TIMES...]" >&2; exit 2; }
export SCALE_FROM SCALE_TO SCALE_TIMES
SCALE_FROM=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$(dirname "$0")/../.."
go test -c -o "$work/bench" ./cmd/internal/conformance
echo "Machine: $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), load $(cut -d' ' -f1 /proc/loadavg), $(go version | cut -d' ' -f3,4), commit $(git rev-parse --short=12 HEAD)."
measure() {
  for f in "$SCALE_TO"/*; do dd if="$f" iflag=nocache count=0 status=none; done
  ls -l "$SCALE_TO" | awk '/fps$/ {f += $5} /docs$/ {d += $5} END {printf "index %.0f bytes, documents %.0f bytes\n", f, d}'
  "$work/bench" -test.run '^$' -test.bench '(Scale|Cold)$' -test.benchtime=1x | grep ^Benchmark
}
SCALE_TO=$SCALE_FROM && measure
for SCALE_TIMES in "${@:2}"; do
  SCALE_TO=$work/drawn
  /usr/bin/time -f "drawn $SCALE_TIMES times: %U s user, %S s system, %M KB" "$work/bench" -test.run '^$' -test.bench 'Draw$' -test.benchtime=1x -test.timeout 10h | grep ^Benchmark
  measure
  rm -rf "$SCALE_TO"
done
