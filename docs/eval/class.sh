#!/usr/bin/env bash
# Lays out the solutions of one course for docs/eval/plagiarism.sh, as PUBLIC/class: each exercise as a directory.
#
#   class.sh CLONES PUBLIC/class
#   class.sh CLONES PUBLIC/class-java class-java.tsv
#
# CLONES gets the git directory of each repository of the list, docs/eval/class.tsv by default, as OWNER+NAME; those that are there are used.
set -euo pipefail
export LC_ALL=C
clones=${1:?usage: class.sh CLONES OUT [LIST]} out=${2:?usage: class.sh CLONES OUT [LIST]} list=${3:-class.tsv}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$clones" "$out"
grep -v '^#' "$here/$list" | while IFS=$'\t' read -r file repository commit path; do
  git=$clones/${repository/\//+}
  [ -d "$git" ] || git clone -q --bare "https://github.com/$repository" "$git"
  mkdir -p "$out/${file%.*}-${file##*.}"
  git -C "$git" show "$commit:$path" >"$out/${file%.*}-${file##*.}/${repository/\//+}.${file##*.}"
done
