#!/usr/bin/env bash
# Scans repositories of a list against those of the other side.
#
#   docs/eval/sides.sh WORK REPOS_DIR LIST HALF LANGUAGE
#
# LIST is sides-of-owners.tsv or a list of its form, drawn-eighth.tsv to drawn-tenth.tsv and drawn-thirteenth.tsv to drawn-twenty-third.tsv: half, side, language,
# package URL, commit. Only files of the language are indexed and scanned, or all files if LANGUAGE is all. Rows of the half "known" are in both baselines.
# Repositories come from bare clones REPOS_DIR/OWNER+NAME/repo. ALSO names a file of more sources for both baselines, in the form of
# baseline add --list, with absolute paths. WORK/scans/OWNER+NAME.json are the reports, for a person to read. Prints files and findings.
set -euo pipefail
export LC_ALL=C
usage="usage: sides.sh WORK REPOS_DIR LIST HALF LANGUAGE"
mkdir -p "${1:?$usage}"; work=$(cd "$1" && pwd); repos=$(cd "${2:?$usage}" && pwd)
list=$(realpath "${3:?$usage}") half=${4:?$usage} language=${5:?$usage}
here=$(cd "$(dirname "$0")" && pwd)
case $language in
all) names=('*') ;;
c) names=('*.c' '*.h') ;;
csharp) names=('*.cs') ;;
cuda) names=('*.cu' '*.cuh' '*.h' '*.cpp' '*.cc' '*.hpp') ;;
objc) names=('*.m' '*.mm' '*.h') ;;
ruby) names=('*.rb') ;;
scala) names=('*.scala') ;;
swift) names=('*.swift') ;;
*) echo "sides.sh: no files of $language" >&2; exit 2 ;;
esac
(cd "$here/../.." && go build -o "$work/git-provenance" ./cmd/git-provenance)
[ -z "${ALSO:-}" ] || ALSO=$(realpath "$ALSO")
cd "$work"
export GIT_CEILING_DIRECTORIES=$work
rm -rf scans known.* base.*; mkdir -p src scans
rows() { awk -F'\t' -v h="${1:-$half}" -v l="$language" '!/^#/ && $1 == h && (l == "all" || $3 == l)' "$list"; }
while IFS=$'\t' read -r _ side _ purl commit _; do
  name=${purl#pkg:github/}; name=${name//\//+}
  git=$(find "$repos" -maxdepth 1 -iname "$name" | head -1)/repo
  [ ! -d "$git/.git" ] || git=$git/.git
  if [ ! -d "src/$name" ]; then
    mkdir "src/$name"
    # file by file: git archive stops at the first object that a clone lacks, and leaves out what .gitattributes keeps from releases
    export GIT_DIR=$git GIT_INDEX_FILE=$work/index GIT_WORK_TREE=$work/src/$name
    git read-tree "$commit"
    git ls-files -z -- "${names[@]}" | git checkout-index -z --stdin -f --prefix="$GIT_WORK_TREE/" 2>>checkout.log || true
    unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
  fi
  for s in $([ "$side" = - ] && echo a b || echo "$side"); do printf '%s\t%s@%s\t\t\n' "src/$name" "$purl" "$commit" >>"known.$s"; done
done < <(rows known; rows)
for side in a b; do
  cat "${ALSO:-/dev/null}" >>"known.$side"
  ./git-provenance baseline add --offline --baseline "base.$side" --list "known.$side" >add.log 2>&1 || [ -s add.log ]
done
while IFS=$'\t' read -r _ side _ purl _; do
  name=${purl#pkg:github/}; name=${name//\//+} other=b
  [ "$side" = a ] || other=a
  (cd "src/$name" && "$work/git-provenance" scan . --baseline "$work/base.$other" --fail-on never --format json) >"scans/$name.json" 2>/dev/null
done < <(rows)
jq -rs '"\(length) repositories, \(map(.summary.files) | add) files, \(map(.findings | length) | add) findings"' scans/*.json
