#!/usr/bin/env bash
# Measures how many copies that people made are found: files of copies.tsv, each beside the file that it was made from.
#
#   docs/eval/copies.sh REPOS_DIR WORK
#
# The repositories of the origins are indexed, each at one commit, and the places are scanned, each file alone.
# REPOS_DIR/OWNER+NAME/repo are bare clones; those that lack are cloned from GitHub.
# WORK/copies.tsv has the table again, with what became of each place. Prints a Markdown table by the share of tokens that
# agree. Found: a finding names the origin's repository first. File: with the right file. Matched: tokens of findings to
# tokens that agree, mean, 1 at most.
set -euo pipefail
mkdir -p "${1:?usage: copies.sh REPOS_DIR WORK}" "${2:?usage: copies.sh REPOS_DIR WORK}"
repos=$(cd "$1" && pwd); work=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
(cd "$here/../.." && go build -o "$work/git-provenance" ./cmd/git-provenance)
cd "$work"
export GIT_CEILING_DIRECTORIES=$work
declare -A endings=([c]="c h" [cc]="cc h cpp" [cs]=cs [go]=go [java]=java [js]=js [kt]=kt [php]=php [py]=py [rb]=rb [rs]=rs [swift]=swift)
rm -rf src origins base list.tsv
repo() {
  [ -d "$repos/${1/\//+}/repo" ] || git clone --quiet --bare "https://github.com/$1" "$repos/${1/\//+}/repo" >&2 || return
  echo "$repos/${1/\//+}/repo"
}
n=0
while IFS=$'\t' read -r _ ending place at path origin from _ _; do
  dir=src/$(printf %04d $n); mkdir -p "$dir"; n=$((n + 1))
  copy=$(repo "$place")
  made=$(repo "$origin")
  git -C "$copy" show "$at:$path" >"$dir/$(basename "$path")"
  dir=origins/${origin/\//+}@$from
  [ -d "$dir" ] && continue
  mkdir -p "$dir"
  globs=(); for e in ${endings[$ending]}; do globs+=(":(glob)**/*.$e"); done
  for g in "${globs[@]}"; do
    GIT_INDEX_FILE=$work/index git -C "$made" --work-tree="$work/$dir" checkout --quiet "$from" -- "$g" 2>>"$work/none" || true
  done
  rm -f index
  printf '%s\tpkg:github/%s@%s\t\t\n' "$dir" "$origin" "$from" >>list.tsv
done < <(grep -v '^#' "$here/copies.tsv")
./git-provenance baseline add --list list.tsv --baseline base >/dev/null
./git-provenance scan src --baseline base --format json --output scan.json || [ $? = 1 ] # there are findings
jq -r '.findings[] | [(.path | split("/")[-2]), (.origins[0].purl | ascii_downcase), .origins[0].path, .tokens] | @tsv' scan.json >findings.tsv
grep -v '^#' "$here/copies.tsv" | awk -F'\t' -v OFS='\t' '
  FNR == NR {n = ++count[$1]; purl[$1, n] = $2; file[$1, n] = $3; tokens[$1, n] = $4; next}
  {
    key = sprintf("%04d", i++); found = right = sum = 0; want = "pkg:github/" tolower($6) "@"
    for (n = 1; n <= count[key]; n++) if (index(purl[key, n], want) == 1) {found = 1; sum += tokens[key, n]; if (file[key, n] == $8) right = 1}
    matched = sum / $10; if (matched > 1) matched = 1
    print $0, found ? "found" : "missed", right ? "file" : "", sprintf("%.2f", matched)
  }' findings.tsv - >copies.tsv
echo "| tokens that agree | half | places | found | file | matched |"
echo "|---|---|--:|--:|--:|--:|"
awk -F'\t' '{c = int($9 * 10) / 10; if (c > 0.9) c = 0.9; k = sprintf("%.1f and more | %s", c, $1); n[k]++; f[k] += $(NF-2) == "found"; r[k] += $(NF-1) == "file"; m[k] += $NF}
  END {for (k in n) printf "| %s | %d | %.3f | %.3f | %.2f |\n", k, n[k], f[k] / n[k], r[k] / n[k], m[k] / n[k]}' copies.tsv | sort -t'|' -k3,3 -k2,2r
