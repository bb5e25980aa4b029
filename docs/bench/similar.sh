#!/usr/bin/env bash
# Measures "similar --all" over real source against a scan of the same files, against the
# bare tree-sitter parse, and against sim, all in the same run.
#
#   similar.sh CORPUS_DIR [LANG...]      LANG: go java js c py ts; default: all of them, then all together
#
# CORPUS_DIR is what corpus.sh lays out. The scan asks an index of two other packages of
# the corpus, as a scan does that finds little. sim (Debian: similarity-tester) compares
# all files with each other too, sim_java -p and sim_c -p, at its defaults. CPU is user and
# system time of whole processes; RSS is the peak. ROUNDS (default 1) are taken in turns,
# medians printed. Prints a Markdown table to standard output.
set -euo pipefail
export LC_ALL=C
rounds=${ROUNDS:-1}
module=$(cd "$(dirname "$0")/../.." && pwd)
corpus=$(cd "${1:?usage: similar.sh CORPUS_DIR [LANG...]}" && pwd)
shift
die() { echo "similar.sh: $*" >&2; exit 2; }
[ -x /usr/bin/time ] || die "/usr/bin/time is missing: install the package time"
[ -f "$corpus/MANIFEST.tsv" ] || die "$corpus has no MANIFEST.tsv: lay it out with corpus.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$module" && go build -trimpath -o "$work/gp" ./cmd/git-provenance && go test -c -trimpath -o "$work/lang.test" ./lang)

# measure NAME CMD... appends CPU seconds and peak MB to the file NAME.
measure() {
  local name=$1; shift
  /usr/bin/time -o "$work/time" -f '%U %S %M' "$@" >"$work/out" 2>"$work/err" || [ $? = 1 ] || die "$* failed: $(tail -3 "$work/err")"
  tail -1 "$work/time" | awk '{printf "%.2f %.0f\n", $1 + $2, $3 / 1024}' >>"$work/$name"
}
median() { [ ! -f "$work/$1" ] && echo - && return; cut -d" " -f"$2" "$work/$1" | sort -g | awk '{v[NR] = $1} END {if (NR) print v[int((NR + 1) / 2)]; else print "-"}'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN {if (b + 0 > 0) printf "%.2f", a / b; else print "-"}'; }

others=("$corpus"/src/*/*/)
"$work/gp" baseline add "${others[0]}" --purl pkg:generic/first --baseline "$work/base" >"$work/out" 2>&1 || die "baseline add: $(tail -1 "$work/out")"

echo "| files | MB | similar, CPU s | MB a CPU s | peak MB | pairs | every pair, CPU s | pairs then | scan, CPU s | similar / scan | bare parse, CPU s | sim, CPU s | similar / sim |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
[ $# -gt 0 ] || set -- go java js c py ts all
for l; do
  dir=$corpus/src/$l program=
  [ "$l" != all ] || dir=$corpus/src
  case $l in java) program=sim_java ;; c) program=sim_c ;; esac
  rm -f "$work"/{similar,every,scan,sim}.m
  mb=$(awk -F'\t' -v l="$l" 'l == "all" || $1 == l {n += $4} END {printf "%.1f", n / 1e6}' "$corpus/MANIFEST.tsv")
  for _ in $(seq "$rounds"); do
    measure similar.m "$work/gp" similar --all "$dir" --format csv --output "$work/pairs.csv"
    measure every.m "$work/gp" similar --all "$dir" --pairs 0 --format csv --output "$work/every.csv"
    measure scan.m "$work/gp" scan "$dir" --baseline "$work/base" --format json
    [ -z "$program" ] || ! command -v "$program" >/dev/null || {
      awk -F'\t' -v l="$l" -v c="$corpus/src/" '$1 == l {print c $3}' "$corpus/MANIFEST.tsv" >"$work/list"
      measure sim.m sh -c "$program -p -i <'$work/list'"
    }
  done
  CORPUS=$dir "$work/lang.test" -test.run - -test.bench 'BareParse$' -test.benchtime 1x >"$work/bare"
  bare=$(awk '/^BenchmarkBareParse/ {for (i = 3; i < NF; i++) {if ($(i+1) == "ns/op") ns = $i; if ($(i+1) == "MB/s") rate = $i; if ($(i+1) == "MB/cpu-s") cpu = $i} printf "%.1f", rate * ns / 1e9 / cpu}' "$work/bare")
  own=$(median similar.m 1) scan=$(median scan.m 1) sim=$(median sim.m 1)
  echo "| $l | $mb | $own | $(ratio "$mb" "$own") | $(median similar.m 2) | $(($(wc -l <"$work/pairs.csv") - 1)) | $(median every.m 1) | $(($(wc -l <"$work/every.csv") - 1)) | $scan | $(ratio "$own" "$scan") | $bare | $sim | $(ratio "$own" "$sim") |"
done
