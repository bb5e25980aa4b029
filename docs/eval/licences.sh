#!/usr/bin/env bash
# Holds the licence of each file in licences.tsv, licences-unseen.tsv, licences-listed.tsv, licences-drawn.tsv, licences-strong.tsv, licences-chance.tsv, licences-tree.tsv, licences-debian.tsv and licences-vendored.tsv to its label.
# usage: docs/eval/licences.sh [DIR]   (DIR keeps what is not in the registries of Go and npm)
set -euo pipefail
dir=${1:-$(mktemp -d)}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
cd "$(dirname "$0")/../.."
[ -f "$dir/lz4_1.9.4.orig.tar.gz" ] || curl -sfL -o "$dir/lz4_1.9.4.orig.tar.gz" https://deb.debian.org/debian/pool/main/l/lz4/lz4_1.9.4.orig.tar.gz
debian() { # NAME VERSION ORIG: the source as it was released, with the folder of Debian
  local in=${1:0:1}
  [[ $1 != lib* ]] || in=${1:0:4}
  local at="https://deb.debian.org/debian/pool/main/$in/$1/"
  [ ! -d "$dir/$1_$2" ] || return 0
  rm -rf "$dir/part" && mkdir "$dir/part"
  curl -sfL "$at$1_${2%-*}.orig.tar.$3" | tar -x "--${3/gz/gzip}" --strip-components 1 -C "$dir/part"
  curl -sfL "$at$1_$2.debian.tar.xz" | tar -x --xz -C "$dir/part"
  mv "$dir/part" "$dir/$1_$2"
}
debian lighttpd 1.4.69-1 xz
debian libevent 2.1.12-stable-8 gz
debian jansson 2.14-2 gz
debian htop 3.2.2-2 gz
while read -r _ _ name version place; do # an upstream source alone
  [ ! -d "$dir/${name}_$version" ] || continue
  rm -rf "$dir/part" && mkdir "$dir/part"
  curl -sfL -o "$dir/part.tar" "https://deb.debian.org/debian/$place" || { echo "$place is not in the archive" >&2; continue; }
  tar -xf "$dir/part.tar" --strip-components 1 -C "$dir/part"
  rm -rf "$dir/part/debian" && mv "$dir/part" "$dir/${name}_$version"
done < <(grep -h '^# orig ' docs/eval/licences-drawn.tsv docs/eval/licences-chance.tsv docs/eval/licences-tree.tsv docs/eval/licences-debian.tsv)
while read -r _ _ name version place; do # a binary package, without what Debian says of its licence
  [ ! -d "$dir/${name}_$version" ] || continue
  rm -rf "$dir/part" && mkdir "$dir/part"
  curl -sfL -o "$dir/part.deb" "https://deb.debian.org/debian/$place" || { echo "$place is not in the archive" >&2; continue; }
  dpkg-deb -x "$dir/part.deb" "$dir/part"
  rm -rf "$dir/part/usr/share/doc" && mv "$dir/part" "$dir/${name}_$version"
done < <(grep '^# deb ' docs/eval/licences-strong.tsv)
for part in making held later last; do
  GOMODCACHE=$(go env GOMODCACHE) go run ./scanner/eval licences -archives "$dir" -of licences-strong.tsv -part "$part"
done
for table in licences-chance.tsv licences-tree.tsv licences-debian.tsv; do
  for part in first second later last final sixth seventh eighth ninth tenth eleventh; do
    [ "$table" = licences-debian.tsv ] || [ "$part" = first ] || [ "$part" = second ] || continue
    GOMODCACHE=$(go env GOMODCACHE) go run ./scanner/eval licences -archives "$dir" -of "$table" -part "$part"
  done
done
GOMODCACHE=$(go env GOMODCACHE) go run ./scanner/eval licences -archives "$dir"
GOMODCACHE=$(go env GOMODCACHE) go run ./scanner/eval licences -archives "$dir" -of licences-vendored.tsv
