#!/usr/bin/env bash
# Measures how many ports from JavaScript to TypeScript are found: the files of
# ports.tsv, each against what it was in the commit before, with the known packages
# of a quick run beside.
# usage: docs/eval/ports.sh CORPUS REPOS_DIR
#
# CORPUS is that of run.sh, after a run that made the baseline in CORPUS/eval/work
# (or WORK). REPOS_DIR/OWNER+NAME/repo are bare clones; those that lack are cloned.
set -euo pipefail
corpus=$(cd "${1:?usage: ports.sh CORPUS REPOS_DIR}" && pwd)
mkdir -p "${2:?REPOS_DIR is needed}"; repos=$(cd "$2" && pwd)
known=$(ls -d "${WORK:-$corpus/eval/work}"/base-* | head -1)
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/git-provenance" ./cmd/git-provenance
grep -v '^#' docs/eval/ports.tsv >"$tmp/pairs"
while IFS=$'\t' read -r name _ before js after ts; do
  repo=$repos/${name/\//+}/repo
  [ -d "$repo" ] || git clone --quiet --bare "https://github.com/$name" "$repo" >&2
  mkdir -p "$tmp/js/${name/\//+}" "$tmp/ts/${name/\//+}"
  git -C "$repo" show "$before:$js" >"$tmp/js/${name/\//+}/${js//\//--}"
  git -C "$repo" show "$after:$ts" >"$tmp/ts/${name/\//+}/${ts//\//--}"
done <"$tmp/pairs"
for dir in "$tmp"/js/*; do
  name=$(basename "$dir")
  "$tmp/git-provenance" baseline add "$dir" --purl "pkg:github/${name/+//}@1" --baseline "$tmp/base" >/dev/null
done
cd "$tmp"
./git-provenance scan ts --baseline base --baseline "$known" --format json --no-source >report.json || [ $? = 1 ]
echo "| repository | files | found | lines covered, median |"
echo "|---|--:|--:|--:|"
for dir in ts/*; do
  name=$(basename "$dir")
  for file in "$dir"/*; do
    jq -r --arg file "${file#*/}" --arg purl "pkg:github/${name/+//}@1" '[.findings[] | select(.path | endswith($file))] |
      [any(.[]; .origins[0].purl == $purl), (([.[] | range(.startLine; .endLine + 1)] | unique | length) / (.[0].fileLines // 1))] | @tsv' report.json
  done | sort -k2 -n | awk -v name="${name/+//}" '{n++; found += $1 == "true"; share[n] = $2} END {printf "| %s | %d | %d | %.2f |\n", name, n, found, share[int(n / 2) + 1]}'
done
