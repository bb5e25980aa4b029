#!/usr/bin/env bash
# Learns the files of baseline/model/prior, the model of what is common anywhere, anew:
#
#   docs/bench/prior.sh REPOS_DIR [CORPUS_DIR]
#   ONLY=swift docs/bench/prior.sh REPOS_DIR       one language of prior.tsv, whose kinds have changed
#
# REPOS_DIR/OWNER+NAME/repo are bare clones of the repositories of prior.tsv; those that
# lack are cloned from GitHub. CORPUS_DIR is laid out by docs/bench/corpus.sh; without
# it the prior keeps what it knows of the languages of the corpus.
#
# Every repository and every package of the corpus is a package of its own, so that n-grams
# and names are counted over directories of unrelated packages. To be run when
# the scheme of token kinds changes; TestPrior notices a prior without them.
set -euo pipefail
mkdir -p "${1:?usage: prior.sh REPOS_DIR [CORPUS_DIR]}"; repos=$(cd "$1" && pwd)
corpus=${2:+$(cd "$2" && pwd)}
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/git-provenance" ./cmd/git-provenance

declare -A endings=([bash]="sh bash bats" [csharp]=cs [kotlin]="kt kts" [lua]=lua [php]=php [ruby]=rb [rust]=rs [scala]=scala [swift]=swift)
grep -v '^#' "$here/prior.tsv" | grep "^${ONLY:+$ONLY$'\t'}" | while IFS=$'\t' read -r language name commit; do
  repo=$repos/${name/\//+}/repo
  [ -d "$repo" ] || git clone --quiet --bare "https://github.com/$name" "$repo"
  dir=$tmp/src/${name/\//-}; mkdir -p "$dir"
  for e in ${endings[$language]}; do
    GIT_INDEX_FILE=$tmp/index git -C "$repo" --work-tree="$dir" checkout --quiet "$commit" -- ":(glob)**/*.$e" 2>>"$tmp/none" || true
  done
  rm -rf "$tmp/index" "$dir"/{vendor,third_party}
  [ -n "$(ls "$dir")" ] || { echo "prior.sh: $name has no file of $language" >&2; exit 1; }
  printf '%s\tpkg:github/%s\t\t\n' "$dir" "$name" >>"$tmp/list"
done
if [ -n "$corpus" ]; then
  (cd "$corpus/src" && ls -d */*) | while read -r p; do
    printf '%s\tpkg:generic/%s\t\t\n' "$corpus/src/$p" "${p//\//-}" >>"$tmp/list"
  done
fi
GIT_CEILING_DIRECTORIES=$tmp "$tmp/git-provenance" baseline add --list "$tmp/list" --baseline "$tmp/baseline"
go test ./baseline -run 'TestPrior$' -count=1 -update-prior="$tmp/baseline" -renew="${ONLY:-}"
ls -l baseline/model/prior
