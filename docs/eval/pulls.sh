#!/usr/bin/env bash
# Counts what reviewers would be told: scans each of the latest changes of the repositories of pulls.tsv, as a pull request.
#
#   docs/eval/pulls.sh REPOS_DIR WORK BASELINE...
#
# REPOS_DIR/OWNER+NAME/repo are bare clones; those that lack are cloned from GitHub. A change is a commit of the first parents
# of the pinned one, with all it merges. CHANGES (400) are taken of each repository. WORK/NAME.jsonl has a report for each
# change with a finding, for a person to read. Prints a Markdown table.
set -euo pipefail
usage="usage: pulls.sh REPOS_DIR WORK BASELINE..."
mkdir -p "${1:?$usage}" "${2:?$usage}"
: "${3:?$usage}"
repos=$(cd "$1" && pwd); work=$(cd "$2" && pwd); shift 2
here=$(cd "$(dirname "$0")" && pwd)
bases=(); for b; do bases+=(--baseline "$(realpath "$b")"); done
(cd "$here/../.." && go build -o "$work/git-provenance" ./cmd/git-provenance)

echo "| repository | language | changes | tokens | with a warning | warnings | notes | CPU s |"
echo "|---|---|--:|--:|--:|--:|--:|--:|"
grep -v '^#' "$here/pulls.tsv" | while IFS=$'\t' read -r language name commit; do
  repo=$repos/${name/\//+}/repo
  [ -d "$repo" ] || git clone --quiet --bare "https://github.com/$name" "$repo"
  clone=$work/${name##*/}
  [ -d "$clone" ] || git clone --quiet --no-checkout --shared "$repo" "$clone"
  cd "$clone"
  git log --first-parent --format=%H -"${CHANGES:-400}" "$commit" >"$work/changes"
  : >"$clone.jsonl"
  : >"$work/times"
  tokens=0
  while read -r change; do
    /usr/bin/time -a -o "$work/times" -f '%U %S' "$work/git-provenance" scan --offline --diff "$change^...$change" "${bases[@]}" --format json --output "$work/report" 2>"$work/err" ||
      [ $? = 1 ] || { cat "$work/err" >&2; exit 2; } # 1: there are findings
    tokens=$((tokens + $(jq .summary.tokens "$work/report")))
    jq -c --arg change "$change" 'select(.findings) | {change: $change, findings: .findings}' "$work/report" >>"$clone.jsonl"
  done <"$work/changes"
  cpu=$(awk 'NF == 2 {sum += $1 + $2} END {printf "%.0f", sum}' "$work/times")
  jq -rs --arg name "$name" --arg language "$language" --argjson n "$(wc -l <"$work/changes")" --argjson tokens "$tokens" --arg cpu "$cpu" '
    def of(f): [.[] | .change as $c | .findings[] | select(f) | $c];
    "| \($name) | \($language) | \($n) | \($tokens) | \(of(.level == "warning" or .level == "error") | unique | length) | \(of(.level == "warning" or .level == "error") | length) | \(of(.level == "note") | length) | \($cpu) |"' "$clone.jsonl"
done
