#!/usr/bin/env bash
# Measures the scan of a whole history: reading it, against git; examining it,
# against the bare tree-sitter parse of each distinct content; and doing it again.
#
#   history.sh REPOSITORY BASELINE
#
# REPOSITORY is any git repository, BASELINE what `baseline add` made. Prints a
# Markdown table of CPU seconds (user and system); ROUNDS (default 3) measurements
# of each kind are taken in turns, the medians are printed. Needs room for all
# distinct contents below TMPDIR.
set -euo pipefail
export LC_ALL=C GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
rounds=${ROUNDS:-3}
usage="usage: history.sh REPOSITORY BASELINE"
module=$(cd "$(dirname "$0")/../.." && pwd)
repo=$(cd "${1:?$usage}" && pwd)
base=$(cd "${2:?$usage}" && pwd)

die() { echo "history.sh: $*" >&2; exit 2; }
need() { command -v "$1" >/dev/null || die "$1 is missing: install the package $2"; }
need go golang; need git git; need awk mawk; need python3 python3
[ -x /usr/bin/time ] || die "/usr/bin/time is missing: install the package time"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=$work/git-provenance
(cd "$module" && go build -trimpath -o "$program" ./cmd/git-provenance &&
  go test -c -trimpath -o "$work/lang.test" ./lang && go test -c -trimpath -o "$work/git.test" ./scanner/git)

# measure NAME CMD... appends the CPU seconds and the peak memory (MB) of a command.
measure() {
  local name=$1
  shift
  /usr/bin/time -o "$work/time" -f '%U %S %M' "$@" >"$work/out" 2>"$work/err" || die "$* failed: $(tail -3 "$work/err")"
  tail -1 "$work/time" | awk '{printf "%.3f %.0f\n", $1 + $2, $3 / 1024}' >>"$work/$name"
}
# metric NAME UNIT appends a figure of the benchmark that just ran.
metric() { awk -v u="$2" '/^Benchmark/ {for (i = 3; i < NF; i++) if ($(i + 1) == u) print $i, 0}' "$work/out" >>"$work/$1"; }
median() { cut -d' ' -f"${2:-1}" "$work/$1" | sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
over() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%.3f", a / b}'; }

cd "$repo"
# to warm the page cache, and to know what has changed
log=(git log --raw --no-abbrev --no-renames --diff-merges=first-parent --root --format=%H HEAD)
"${log[@]}" | awk -F'[ \t]' '/^:/ && $2 ~ /^100/ && !seen[$4]++ {print $4}' >"$work/ids"
"${log[@]}" | awk -F'\t' '/^:/ {split($1, f, " "); if (f[2] ~ /^100/ && !seen[f[4]]++) print f[4] "\t" $2}' >"$work/names"

# the distinct contents as files, for the bare parse
git cat-file --batch --buffer <"$work/ids" | python3 -c '
import os, sys
names = dict(l.rstrip("\n").split("\t", 1) for l in open(sys.argv[2], encoding="utf-8", errors="replace"))
while head := sys.stdin.buffer.readline().split():
    if head[1] == b"missing":
        continue
    body = sys.stdin.buffer.read(int(head[2]) + 1)[:-1]
    name = head[0].decode()
    where = os.path.join(sys.argv[1], name[:2], name)
    os.makedirs(where)
    with open(os.path.join(where, os.path.basename(names[name].strip("\""))), "wb") as f:
        f.write(body)
' "$work/contents" "$work/names"

for _ in $(seq "$rounds"); do
  measure log "${log[@]}"
  measure cat git cat-file --batch --buffer <"$work/ids"
  REPO=$repo measure bench "$work/git.test" -test.run - -test.bench ReadHistory -test.benchtime 1x
  metric walk walk-cpu-s; metric read read-cpu-s; metric checked checked-cpu-s
  CORPUS=$work/contents measure bench "$work/lang.test" -test.run - -test.bench 'BareParse$' -test.benchtime 1x
  awk '/^BenchmarkBareParse/ {for (i = 3; i < NF; i++) {if ($(i+1) == "ns/op") ns = $i; if ($(i+1) == "MB/s") rate = $i; if ($(i+1) == "MB/cpu-s") cpu = $i}
    printf "%.3f 0\n", rate * ns / 1e9 / cpu}' "$work/out" >>"$work/bare"
  rm -rf "$work/cache"
  for run in first again; do
    XDG_CACHE_HOME=$work/cache measure $run "$program" scan --history --baseline "$base" --fail-on never --format json
    cp "$work/out" "$work/$run.json"
  done
  cmp "$work/first.json" "$work/again.json" || die "the second run says something else"
done

git_cpu=$(awk -v a="$(median log)" -v b="$(median cat)" 'BEGIN {print a + b}')
echo "$(git rev-list --count HEAD) commits to $(git rev-parse --short HEAD), $(wc -l <"$work/ids") contents, $(du -sm --apparent-size "$work/contents" | cut -f1) MB; $(uname -m), $(nproc) CPUs, $(go version | cut -d' ' -f3), git $(git version | cut -d' ' -f3)"
cat <<END

| step | CPU s | against | CPU s | ratio | to reach |
|---|---|---|---|---|---|
| commits, tree differences | $(median walk) | \`git log --raw\` | $(median log) | $(over "$(median walk)" "$(median log)") | |
| with all changed contents | $(median read) | and \`git cat-file --batch\` | $git_cpu | $(over "$(median read)" "$git_cpu") | 0.6 |
| and compared with their names | $(median checked) | the same | $git_cpu | $(over "$(median checked)" "$git_cpu") | |
| first scan, $(median first 2) MB | $(median first) | bare parse of each content | $(median bare) | $(over "$(median first)" "$(median bare)") | 0.4 |
| the same again, $(median again 2) MB | $(median again) | first scan | $(median first) | $(over "$(median again)" "$(median first)") | 0.02 |
END
