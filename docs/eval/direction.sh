#!/usr/bin/env bash
# Holds the direction and the dates of findings to direction.tsv, which was made
# from the git histories of both sides (direction.py) before this was run.
# TABLE=direction_held takes direction_held.tsv, to which no rule was fitted.
# usage: docs/eval/direction.sh REPOS_DIR [WORK_DIR]
#
# REPOS_DIR/OWNER+NAME/repo are bare clones with all of their history, as for
# direction.py; a pair without its clones, or whose clone lacks contents, is left out and named. Packages of
# registries are added in all their versions, others from the tags of their repository. Origins are dated by the histories of their
# repositories; REGISTRIES_ONLY=1 leaves that out. SCAN_FLAGS are flags of the scan.
set -euo pipefail
repos=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=${2:-$(mktemp -d)}
mkdir -p "$work" && work=$(cd "$work" && pwd)
table=${TABLE:-direction}
export XDG_DATA_HOME="$work/data"
go build -C "$here/../.." -o "$work/git-provenance" ./cmd/git-provenance

# tagged adds a package that is in no registry: twelve tags of its repository up to
# the one of the table of pairs and that one, with the dates of their commits.
tagged() { # baseline purl repository tag
  local git="$repos/${3/\//+}/repo" name=${2%@*} t
  git -C "$git" tag --merged "$4" --sort=creatordate | awk '{t[NR] = $0} END {for (i = 1; i < NR; i += 1 + int(NR / 12)) print t[i]; print t[NR]}' | while read -r t; do
    rm -rf "$work/tree" && mkdir "$work/tree"
    git -C "$git" archive "$t" | tar -x -C "$work/tree" || exit
    "$work/git-provenance" baseline add --baseline "$1" --purl "$name@$t" --released "$(TZ=UTC git -C "$git" log -1 --date=format-local:%Y-%m-%d --format=%cd "$t")" "$work/tree" >/dev/null || exit
  done
}

n=0
while IFS=$'\t' read -r repository commit package upstream tag exts; do
  case $repository in '#'*|'') continue ;; esac
  n=$((n + 1))
  for r in "$repository" "$upstream"; do
    [ -d "$repos/${r/\//+}/repo" ] || { echo "left out: $repository against ${package%@*}, no clone of $r" >&2; continue 2; }
  done
  dir="$work/$table-$n"
  mkdir -p "$dir"
  if [ ! -e "$dir/base.done" ]; then
    rm -rf "$dir/base"
    case $package in
      pkg:golang/*|pkg:npm/*) "$work/git-provenance" baseline add --baseline "$dir/base" "${package%@*}" --versions all >/dev/null ;;
      *) tagged "$dir/base" "$package" "$upstream" "$tag" || {
        echo "left out: $repository against ${package%@*}, the clone of $upstream lacks contents of a tag" >&2
        rm -rf "$dir/base"
        continue
      } ;;
    esac
    touch "$dir/base.done"
  fi
  if [ ! -e "$dir/tree" ]; then
    git clone -q --no-checkout "$repos/${repository/\//+}/repo" "$dir/tree"
    git -C "$dir/tree" remote set-url origin "https://github.com/$repository"
    git -C "$dir/tree" checkout -q --detach "$commit" || {
      echo "left out: $repository against ${package%@*}, the clone lacks contents of $commit" >&2
      rm -rf "$dir/tree"
      continue
    }
  fi
  history=()
  [ -n "${REGISTRIES_ONLY:-}" ] || history=(--origin-repo "$repos/${upstream/\//+}/repo=${package%@*}")
  (cd "$dir/tree" && "$work/git-provenance" scan --baseline ../base --fail-on never --no-source "${history[@]}" ${SCAN_FLAGS:-} --format json --output ../report.json)
  echo "$repository against ${package%@*}" >&2
done <"$here/$table.pairs.tsv"
python3 "$here/direction_check.py" "$here/$table.pairs.tsv" "$here/$table.tsv" "$work/$table"
