#!/usr/bin/env bash
# Measures how many real edits are found: functions and files of evolution.tsv,
# followed commit by commit from an early version, which is indexed, to a late one.
# usage: docs/eval/evolution.sh CORPUS REPOS_DIR [train|validate|sealed|late|latest|newest|formatted|wider|wider-held] [FLAG...]
#
# CORPUS is that of run.sh: its known packages are indexed beside the early versions,
# its unknown files, or those of the role host, receive the late functions. REPOS_DIR/OWNER+NAME/repo are bare
# clones with all of their history; those that lack are cloned from GitHub.
# CORPUS/eval/work/evolution-ROLE.tsv lists every function with what became of it.
set -euo pipefail
corpus=$(cd "${1:?usage: evolution.sh CORPUS REPOS_DIR [ROLE] [FLAG...]}" && pwd)
mkdir -p "${2:?REPOS_DIR is needed}"; repos=$(cd "$2" && pwd)
role=${3:-train}
shift $(($# > 2 ? 3 : 2))
here=$(cd "$(dirname "$0")" && pwd)
work=${WORK:-$corpus/eval/work}
mkdir -p "$work"
grep -v '^#' "$here/evolution.tsv" | awk -F'\t' -v role="$role" '$1 == role || role ~ /^wider/ && $1 == "host" {print $3}' | while read -r name; do
  [ -d "$repos/${name/\//+}/repo" ] || git clone --quiet --bare "https://github.com/$name" "$repos/${name/\//+}/repo" >&2
done
cd "$here/../.."
go run ./scanner/eval evolution -goroot "$(go env GOROOT)" -corpus "$corpus" -work "$work" -repos "$repos" -role "$role" "$@"
