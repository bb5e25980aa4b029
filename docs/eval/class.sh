#!/usr/bin/env bash
# Lays out the solutions of one course for docs/eval/plagiarism.sh, as PUBLIC/class: each exercise as a directory.
#
#   class.sh CLONES PUBLIC/class
#
# CLONES gets the git directory of each repository of docs/eval/class.tsv, as OWNER+NAME; those that are there are used.
set -euo pipefail
export LC_ALL=C
clones=${1:?usage: class.sh CLONES OUT} out=${2:?usage: class.sh CLONES OUT}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$clones" "$out"
grep -v '^#' "$here/class.tsv" | while IFS=$'\t' read -r file repository commit path; do
  git=$clones/${repository/\//+}
  [ -d "$git" ] || git clone -q --bare "https://github.com/$repository" "$git"
  mkdir -p "$out/${file%.*}-${file##*.}"
  git -C "$git" show "$commit:$path" >"$out/${file%.*}-${file##*.}/${repository/\//+}.${file##*.}"
done
