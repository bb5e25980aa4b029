#!/usr/bin/env bash
# Counts findings in repositories that share little, in languages that run.sh has no packages
# of: each half of halves.tsv is indexed, and the files of the other half are scanned.
#
#   docs/eval/halves.sh REPOS_DIR WORK [LIST...]
#
# LIST is halves.tsv without one; several count as one. halves-held.tsv has repositories that nothing was made with.
# REPOS_DIR/OWNER+NAME/repo are bare clones; those that lack are cloned from GitHub.
# WORK/scan-HALF.json are the reports, for a person to read: what two repositories do share is
# no false finding. Prints a Markdown table. Only files in the languages of the table count.
set -euo pipefail
mkdir -p "${1:?usage: halves.sh REPOS_DIR WORK [LIST...]}" "${2:?usage: halves.sh REPOS_DIR WORK [LIST...]}"
repos=$(cd "$1" && pwd); work=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
shift 2; lists=()
for l in "${@:-$here/halves.tsv}"; do lists+=("$(realpath "$l")"); done
(cd "$here/../.." && go build -o "$work/git-provenance" ./cmd/git-provenance)
cd "$work"
export GIT_CEILING_DIRECTORIES=$work
declare -A endings=([csharp]=cs [go]=go [java]=java [kotlin]=kt [php]=php [ruby]=rb [rust]=rs [swift]=swift [typescript]=ts)
rm -rf src base-* list-*
grep -hv '^#' "${lists[@]}" | while IFS=$'\t' read -r language half name commit; do
  repo=$repos/${name/\//+}/repo
  [ -d "$repo" ] || git clone --quiet --bare "https://github.com/$name" "$repo"
  dir=src/$half/$language/${name/\//-}; mkdir -p "$dir"
  GIT_INDEX_FILE=$work/index git -C "$repo" --work-tree="$work/$dir" checkout --quiet "$commit" -- ":(glob)**/*.${endings[$language]}"
  rm -f index
  printf '%s\tpkg:github/%s\t\t\n' "$dir" "$name" >>"list-$half.tsv"
done
for half in one other; do
  ./git-provenance baseline add --list "list-$half.tsv" --baseline "base-$half" >/dev/null
done
./git-provenance scan src/other --baseline base-one --format json --output scan-other.json || [ $? = 1 ] # there are findings
./git-provenance scan src/one --baseline base-other --format json --output scan-one.json || [ $? = 1 ] # there are findings
echo "| language | files | findings | in files | warnings | in files | files with a warning, per 1,000 |"
echo "|---|--:|--:|--:|--:|--:|--:|"
for language in "${!endings[@]}"; do
  ls -d src/*/"$language" >/dev/null 2>&1 || continue
  files=$(find src/*/"$language" -type f | wc -l)
  jq -rs --arg l "$language" --argjson n "$files" '[.[].findings[] | select(.path | split("/")[2] == $l)] |
    [.[] | select(.level == "warning") | .path] as $w | [.[].path] |
    "| \($l) | \($n) | \(length) | \(unique | length) | \($w | length) | \($w | unique | length) | \($w | unique | length * 1000 / $n * 10 | round / 10) |"' scan-one.json scan-other.json
done | sort
