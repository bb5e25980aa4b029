#!/usr/bin/env bash
# Scans packages that were drawn by chance against others, as a first sight.
#
#   docs/eval/drawn.sh WORK REPOS_DIR [LIST...]
#
# LIST is drawn-sixth.tsv without one. Rows are ROLE, package URL, version: "known" ones of all lists are indexed with
# GOROOT, each of the other roles of the first list is scanned alone, without history. Packages come from the Go proxy, npm
# and Debian 12, repositories from bare clones REPOS_DIR/OWNER+NAME/repo. What can't be had is told and left out. ALSO names a
# file of more sources for the baseline, in the form of baseline add --list, with absolute paths.
# WORK/scans/ROLE/NAME.json are the reports, for a person to read. Prints files and findings in code by role and language.
set -euo pipefail
export LC_ALL=C
mkdir -p "${1:?usage: drawn.sh WORK REPOS_DIR [LIST...]}" "${2:?usage: drawn.sh WORK REPOS_DIR [LIST...]}"
work=$(cd "$1" && pwd); repos=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
shift 2; lists=()
for l in "${@:-$here/drawn-sixth.tsv}"; do lists+=("$(realpath "$l")"); done
(cd "$here/../.." && go build -o "$work/git-provenance" ./cmd/git-provenance)
[ -z "${ALSO:-}" ] || ALSO=$(realpath "$ALSO")
cd "$work"
mkdir -p src apt/lists/partial apt/cache/archives/partial scans
export GIT_CEILING_DIRECTORIES=$work

mirror=${DEBIAN_MIRROR:-$(grep -rhoE 'https?://[^ ]+/debian( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | grep -v snapshot | head -1 | tr -d ' ' || true)}
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm main" >apt/sources.list
apt() {
  apt-get -qq -o Dir::Etc::sourcelist="$work/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$work/apt/lists" \
    -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=root "$@"
}
[ -n "$(find apt/lists -name '*Sources*')" ] || apt update

# lay DIR PURL VERSION puts the files of a package into DIR.
lay() {
  case $2 in
  pkg:golang/*) cp -r "$(cd / && go mod download -json "${2#pkg:golang/}@$3" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')" "$1" && chmod -R u+w "$1" ;;
  pkg:npm/*) mkdir "$1" && tar xzf "$(npm pack --silent "${2#pkg:npm/}@$3" | tail -1)" -C "$1" && rm -f ./*.tgz ;;
  pkg:deb/*)
    mkdir "$1" "$1.dl" && (cd "$1.dl" && apt source --download-only --tar-only "${2#pkg:deb/debian/}=$3" >/dev/null) || return
    for t in "$1.dl"/*.orig*.tar.*; do case $t in *.asc) ;; *) tar xf "$t" -C "$1" ;; esac; done ;;
  pkg:github/*) mkdir "$1" && git -C "$repos/$(sed 's|pkg:github/||; s|/|+|' <<<"$2")/repo" archive "$3" | tar x -C "$1" ;;
  esac
}

rm -f known.tsv
grep -hv '^#' "${lists[@]}" | sort -u | while IFS=$'\t' read -r role purl version _; do
  name=${purl#pkg:}; name=${name//\//+}
  [ "$role" = known ] || grep -q "^$role	$purl	" "${lists[0]}" || continue
  dir=src/$role/$name
  if [ ! -d "$dir" ]; then
    mkdir -p "src/$role"; rm -rf new new.dl
    if ! lay new "$purl" "$version" >lay.log 2>&1 </dev/null; then
      echo "left out: $purl $version: $(tail -1 lay.log)" >&2
      continue
    fi
    mv new "$dir"; rm -rf new.dl
  fi
  [ "$role" != known ] || printf '%s\t%s@%s\t\t\n' "$dir" "$purl" "${version//+/%2B}" >>known.tsv
done
cat "${ALSO:-/dev/null}" >>known.tsv
rm -rf base
./git-provenance baseline add --offline --baseline base --list known.tsv >add.log 2>&1 || [ -s add.log ]
./git-provenance baseline add --offline --baseline base "$(go env GOROOT)" >>add.log 2>&1
rm -rf scans
for dir in src/*/*; do
  role=$(basename "$(dirname "$dir")")
  [ "$role" != known ] || continue
  mkdir -p "scans/$role"
  (cd "$dir" && "$work/git-provenance" scan . --vendored --baseline "$work/base" --fail-on never --format json) >"scans/$role/$(basename "$dir").json" 2>/dev/null
done
echo "| role | packages | files | findings in code | packages with one |"
echo "|---|--:|--:|--:|--:|"
for role in scans/*; do
  jq -rs --arg role "$(basename "$role")" '[.[].findings | map(select(.language != "text"))] as $f |
    "| \($role) | \(length) | \(map(.summary.files) | add) | \($f | map(length) | add) | \($f | map(select(length > 0)) | length) |"' "$role"/*.json
done
