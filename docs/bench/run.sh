#!/usr/bin/env bash
# Measures the program against the floor it stands on (the bare tree-sitter
# parse), against a peer, and against the limits of a commit hook.
#
#   run.sh CORPUS_DIR [ITEM...]     ITEM: machine trees index peer staged; default all
#
# CORPUS_DIR is what corpus.sh lays out. Prints Markdown tables to standard
# output, progress to standard error. ROUNDS (default 3) measurements of each
# kind are taken in turns; medians are printed. About ten minutes, 1 GB of
# memory for the map of 10 M entries, 2 GB below TMPDIR. What is measured and
# why: docs/PERFORMANCE.md.
set -euo pipefail
export LC_ALL=C GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
rounds=${ROUNDS:-3}
module=$(cd "$(dirname "$0")/../.." && pwd)
corpus=$(cd "${1:?usage: run.sh CORPUS_DIR [ITEM...]}" && pwd)
shift

die() { echo "run.sh: $*" >&2; exit 2; }
say() { echo "run.sh: $*" >&2; }
need() { command -v "$1" >/dev/null || die "$1 is missing: install the package $2"; }
need go golang; need git git; need jq jq; need awk mawk; need sim_java similarity-tester
[ -x /usr/bin/time ] || die "/usr/bin/time is missing: install the package time"
[ -f "$corpus/MANIFEST.tsv" ] || die "$corpus has no MANIFEST.tsv: lay it out with corpus.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=$work/git-provenance
say "building"
(cd "$module" && go build -trimpath -o "$program" ./cmd/git-provenance && go test -c -trimpath -o "$work/lang.test" ./lang)

# measure CMD... sets cpu and wall (seconds) and rss (MB) of the whole process
# and its children. Standard output goes to the file out.
measure() {
  /usr/bin/time -o "$work/time" -f '%U %S %e %M' "$@" >"$work/out" 2>"$work/err" ||
    die "$* failed: $(tail -3 "$work/err")"
  read -r cpu wall rss < <(awk 'END {printf "%.2f %.2f %.0f\n", $1 + $2, $3, $4 / 1024}' "$work/time")
}

# median of the numbers on standard input.
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
column() { cut -d' ' -f"$2" "$work/$1" | median; }
met() { awk -v v="$1" -v limit="$2" 'BEGIN {print v <= limit ? "yes" : "**no**"}'; }

# bare DIR sets cpu to that of parsing all files of DIR, and bytes to theirs.
bare() {
  CORPUS=$1 "$work/lang.test" -test.run - -test.bench 'BareParse$' -test.benchtime 2x >"$work/bare" || die "bare parse of $1 failed"
  read -r cpu bytes < <(awk '/^BenchmarkBareParse/ {
    for (i = 3; i < NF; i++) { if ($(i+1) == "ns/op") ns = $i; if ($(i+1) == "MB/s") rate = $i; if ($(i+1) == "MB/cpu-s") cpu = $i }
    printf "%.3f %.1f\n", rate * ns / 1e9 / cpu, rate * ns / 1e9 }' "$work/bare")
  [ -n "$bytes" ] || die "the bare parse of $1 printed no figures"
}

# files LANG N PACKAGES [MIN MAX] lists N distinct files of a language, of MIN
# to MAX bytes, no content of which is in the PACKAGES (a pattern). Order and
# choice follow the digest of the content: stable, and packages are mixed.
files() {
  awk -F'\t' -v lang="$1" -v apart="^($3)$" -v min="${4:-0}" -v max="${5:-1e9}" '
    NR == FNR { if ($2 ~ apart) known[$5]; next }
    $1 == lang && !($5 in known) && $4 >= min && $4 <= max' "$corpus/MANIFEST.tsv" "$corpus/MANIFEST.tsv" |
    sort -t$'\t' -k5,5 -u | awk -F'\t' -v n="$2" 'NR <= n { print $3 }'
}

# lay DIR copies the files listed on standard input into one flat directory.
lay() {
  local i=0 f
  mkdir -p "$1"
  while read -r f; do
    cp "$corpus/src/$f" "$1/$(printf 'f%05d' $i).${f##*.}"
    i=$((i + 1))
  done
  [ $i -gt 0 ] || die "no files for $1"
}

# edit FILE... changes files as somebody does who adapts what was copied: names
# are replaced, and after every twelfth statement there is a new one.
edit() {
  local f
  for f; do
    sed -E -i 's/\bresult\b/outcome/g; s/\bindex\b/place/g; s/\bvalue\b/content/g; s/\bi\b/n1/g; s/\blength\b/extent/g; s/\bname\b/label/g' "$f"
    awk '{ print } /^(      +|\t\t+)[A-Za-z].*;$/ && ++n % 12 == 0 { print "        audit(" n ");" }' "$f" >"$f.new"
    mv "$f.new" "$f"
  done
}

# add BASELINE ARGUMENT... adds to a baseline, unmeasured.
add() {
  "$program" baseline add --offline --baseline "$@" >"$work/out" 2>&1 || die "baseline add $* failed: $(tail -3 "$work/out")"
}

# addpackage BASELINE LANG PACKAGE indexes one package of the corpus.
addpackage() { add "$1" --purl "pkg:generic/$2-${3//[^A-Za-z0-9.]/-}@0" "$corpus/src/$2/$3"; }

info() { "$program" baseline info --baseline "$1" --format json | jq -r "$2"; }

machine() {
  echo "Machine: $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), Linux $(uname -r), $(cd "$module" && go version | cut -d' ' -f3,4)."
  echo "Commit: $(git -C "$module" rev-parse --short=12 HEAD 2>/dev/null || echo none)$(git -C "$module" diff --quiet HEAD 2>/dev/null || echo ' and uncommitted changes')."
  echo "Load when it began: $(cut -d' ' -f1-3 /proc/loadavg)."
  echo
}

# The packages that are known; the trees of the same languages hold nothing of them.
goroot=$(cd "$module" && go env GOROOT)
known='deb_lucene-solr_.*|npm_babylonjs_.*|npm_three.*|npm_effect.*|deb_tcl8.6_.*|deb_nltk_.*'
trees="go-1000 java-1000 js-1000 c-1000 py-500 ts-500"

trees() {
  local base=$work/known lang tree round n
  say "indexing what is known"
  add "$base" "$goroot"
  for n in $(awk -F'\t' -v known="^($known)$" '$2 ~ known && $1 != "cpp" {print $1 "/" $2}' "$corpus/MANIFEST.tsv" | sort -u); do
    addpackage "$base" "${n%%/*}" "${n#*/}"
  done
  echo "Trees against $(info "$base" '"\(.packages) packages, \(.documents) documents, \(.tokens) tokens, \(.postings) postings in \(.segments) segments"'); $rounds rounds."
  echo
  echo "| tree | MB parsed | bare parse, CPU s | scan, CPU s | scan / bare | <= 0.6 | scan, cores | findings | add, CPU s | add / bare | <= 1.5 | add, cores |"
  echo "|---|--:|--:|--:|--:|---|--:|--:|--:|--:|---|--:|"
  for tree in $trees; do
    lang=${tree%-*} n=${tree#*-}
    say "tree $tree"
    files "$lang" "$n" "$known" | lay "$work/$tree"
    : >"$work/rows"
    for round in $(seq "$rounds"); do
      bare "$work/$tree"; local floor=$cpu
      measure "$program" scan --baseline "$base" --fail-on never --format json "$work/$tree"
      local scan="$cpu $wall" findings; findings=$(jq '.summary.findings' "$work/out")
      rm -rf "$work/fresh"
      measure "$program" baseline add --offline --baseline "$work/fresh" --purl pkg:generic/tree@0 "$work/$tree"
      echo "$floor $scan $cpu $wall $findings" >>"$work/rows"
    done
    awk '{printf "%.3f %.3f %.2f %.2f\n", $2 / $1, $4 / $1, $2 / $3, $4 / $5}' "$work/rows" >"$work/ratios"
    echo "| $tree | $bytes | $(column rows 1) | $(column rows 2) | **$(column ratios 1)** | $(met "$(column ratios 1)" 0.6) | $(column ratios 3) | $(column rows 6) | $(column rows 4) | **$(column ratios 2)** | $(met "$(column ratios 2)" 1.5) | $(column ratios 4) |"
  done
  echo
  rm -rf "$work/fresh"
}

# figure NAME UNIT of the benchmarks of segments.
figure() { awk -v name="$1" -v unit="$2" 'index($1, name) == 1 {for (i = 2; i <= NF; i++) if ($i == unit) print $(i - 1)}' "$work/segment"; }

index() {
  say "benchmarks of segments"
  (cd "$module" && go test -run - -bench 'Open|Lookup' -benchtime 300x -timeout 20m ./baseline/segment) >"$work/segment" || die "segment benchmarks failed: $(tail -3 "$work/segment")"
  local seg map open
  seg=$(figure "BenchmarkLookup/segment/10000000/10%" ns/fingerprint) map=$(figure "BenchmarkLookup/map/10000000/10%" ns/fingerprint)
  open=$(figure "BenchmarkOpen/10000000" ns/op | awk '{print $1 / 1e6}')
  [ -n "$seg" ] && [ -n "$map" ] && [ -n "$open" ] || die "the segment benchmarks printed no figures"
  echo "| one segment of 10 M postings | figure | against | ratio | target | met |"
  echo "|---|--:|--:|--:|---|---|"
  echo "| 10,000 sorted lookups, 10 % of them hits | $seg ns each | Go map: $map ns | **$(awk -v a="$seg" -v b="$map" 'BEGIN {printf "%.2f", a / b}')** | <= 0.83 | $(met "$seg" "$(awk -v b="$map" 'BEGIN {print b / 1.2}')") |"
  echo "| the same, all hits | $(figure "BenchmarkLookup/segment/10000000/100%" ns/fingerprint) ns each | Go map: $(figure "BenchmarkLookup/map/10000000/100%" ns/fingerprint) ns | | | |"
  echo "| open | $open ms | | | < 20 ms | $(met "$open" 20) |"
  echo
}

# size BASELINE NAME prints the size of an index of real code.
size() {
  echo "| index | postings | tokens | bytes of postings and filter | bytes a posting | bytes in all |"
  echo "|---|--:|--:|--:|--:|--:|"
  info "$1" "\"| $2 | \\(.postings) | \\(.tokens) | \\(.indexBytes) | **\\(.indexBytes / .postings * 100 | round / 100)** | \\(.bytes) |\""
  echo
}

peer() {
  local base=$work/java p round
  say "indexing Java"
  for p in "$corpus"/src/java/*/; do addpackage "$base" java "$(basename "$p")"; done
  files java 80 - 10000 20000 | lay "$work/changed"
  edit "$work/changed"/*.java
  { find "$work/changed" -type f | sort; echo /; find "$corpus/src/java" -type f | sort; } >"$work/names"
  : >"$work/rows"
  for round in $(seq "$rounds"); do
    say "peer, round $round"
    measure "$program" scan --baseline "$base" --fail-on never --format json "$work/changed"
    local ours="$cpu $wall $rss" found; found=$(jq '[.findings[].path] | unique | length' "$work/out")
    measure sim_java -p -S -T -i <"$work/names"
    echo "$ours $cpu $wall $rss $found $(awk '/ consists for /{print $1}' "$work/out" | sort -u | wc -l)" >>"$work/rows"
  done
  awk '{printf "%.4f\n", $1 / $4}' "$work/rows" >"$work/ratios"
  echo "$(find "$work/changed" -type f | wc -l) changed Java files, $(cat "$work/changed"/* | wc -c) bytes, against $(find "$corpus/src/java" -type f | wc -l) files, $(find "$corpus/src/java" -type f -exec cat {} + | wc -c) bytes; $rounds rounds."
  echo
  echo "| program | CPU s | wall s | RSS MB | changed files recognised | ratio | target | met |"
  echo "|---|--:|--:|--:|--:|--:|---|---|"
  echo "| git-provenance scan | $(column rows 1) | $(column rows 2) | $(column rows 3) | $(column rows 7) | **$(column ratios 1)** | <= 0.15 | $(met "$(column ratios 1)" 0.15) |"
  echo "| sim_java -p -S -T -i | $(column rows 4) | $(column rows 5) | $(column rows 6) | $(column rows 8) | 1 | | |"
  echo
  rm -rf "$base"
}

# What the first ten staged files are taken from: it is not in the index, which
# holds the rest of the corpus, the standard library, the modules of go.mod and
# those that corpus.sh fetched with the word large.
unknown='go_github.com_gohugoio_hugo_.*|npm_ol.*|deb_zsh_.*|deb_commons-math3_.*'

staged() {
  local base=$work/all l p kind round
  [ -f "$corpus/large.tsv" ] || say "no large.tsv: the index will be short of 10 M postings; see corpus.sh"
  say "indexing everything"
  for p in "$corpus"/src/*/*/; do
    l=$(basename "$(dirname "$p")")
    [[ $(basename "$p") =~ ^($unknown)$ ]] || { mkdir -p "$work/rest/$l"; cp -r "$p" "$work/rest/$l/"; }
  done
  (cd "$module" && go mod download)
  mapfile -t more < <(cut -f2 "$corpus/large.tsv" 2>/dev/null)
  add "$base" "$goroot" "$module/go.mod" "${more[@]}"
  for p in "$work"/rest/*/; do add "$base" --purl "pkg:generic/corpus-$(basename "$p")@0" "$p"; done
  rm -rf "$work/rest"
  say "compacting"
  "$program" baseline compact --baseline "$base" >/dev/null 2>&1 || die "baseline compact failed"
  size "$base" "$(info "$base" '"\(.packages) packages, \(.segments) segments"')"
  for kind in unknown copied; do
    mkdir "$work/$kind"
    git -C "$work/$kind" init -q
    if [ $kind = unknown ]; then
      { files go 4 'npm_.*|deb_.*|go_k8s.*|go_github.com_prom.*|go_golang.*' 4000 16000
        files java 2 'npm_.*|deb_[^c].*|go_.*' 4000 16000
        files js 2 'npm_[^o].*|deb_.*|go_.*' 4000 16000
        files c 2 'npm_.*|deb_[^z].*|go_.*' 4000 16000; } | lay "$work/$kind/src"
    else
      { files go 4 "$unknown" 4000 16000; files java 2 "$unknown" 4000 16000
        files js 2 "$unknown" 4000 16000; files c 2 "$unknown" 4000 16000; } | lay "$work/$kind/src"
      edit "$work/$kind"/src/*
    fi
    git -C "$work/$kind" add .
  done
  echo "| ten staged files | bytes | findings | wall ms | < 200 | RSS MB | < 200 | CPU ms |"
  echo "|---|--:|--:|--:|---|--:|---|--:|"
  for kind in unknown copied; do
    say "staged, $kind"
    : >"$work/rows"
    for round in 0 $(seq $((rounds + 4))); do # round 0 warms the page cache
      measure env -C "$work/$kind" "$program" scan --staged --baseline "$base" --fail-on never --format json
      [ "$round" = 0 ] || awk -v wall="$wall" -v cpu="$cpu" -v rss="$rss" 'BEGIN {print wall * 1000, cpu * 1000, rss}' >>"$work/rows"
    done
    echo "| $kind | $(cat "$work/$kind"/src/* | wc -c) | $(jq .summary.findings "$work/out") | **$(column rows 1)** | $(met "$(column rows 1)" 199) | **$(column rows 3)** | $(met "$(column rows 3)" 199) | $(column rows 2) |"
  done
  echo
}

for item in ${*:-machine trees index peer staged}; do
  case $item in
  machine | trees | index | peer | staged) "$item" ;;
  *) die "unknown item $item" ;;
  esac
done
