#!/usr/bin/env bash
# Writes scan.json, the report of a real scan that the golden files here are
# rendered from: two commits, of which the second pastes code of a package.
# Then: UPDATE_GOLDEN=1 go test ./scanner/report
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -C "$here/../../.." -o "$work/git-provenance" ./cmd/git-provenance
export PATH="$work:$PATH" HOME="$work" GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_AUTHOR_DATE=2024-05-06T07:08:09Z
export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org GIT_COMMITTER_DATE=2024-05-06T07:08:09Z
cp -r "$here/scan/." "$work/"
cd "$work"
for f in ring/*; do # a header here, as a scanner of licences would take it for ours in the repository
  comment=$([ "${f##*.}" = py ] && echo '#' || echo '//')
  printf '%s\n' "$comment Copyright 2020 The Ring Authors" "$comment SPDX-License-Identifier: GPL-3.0-only" '' "$(cat "$f")" > "$f.new"
  mv "$f.new" "$f"
done
git-provenance baseline add --baseline base --purl pkg:generic/ring@1.2.0 --license GPL-3.0-only --released 2020-02-03 ring >/dev/null
git init -q -b main repo
cd repo
cp ../before/* .
git add . && git commit -q -m Before
cp ../after/* .
git add . && git commit -q -m After
git-provenance scan --baseline ../base --diff HEAD~1..HEAD --fail-on never --format json --output "$here/scan.json"
