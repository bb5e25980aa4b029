#!/usr/bin/env bash
# Holds the licence of each file in licences.tsv and licences-unseen.tsv to its label.
# usage: docs/eval/licences.sh [DIR]   (DIR keeps the one archive that the registries have not)
set -euo pipefail
dir=${1:-$(mktemp -d)}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
cd "$(dirname "$0")/../.."
[ -f "$dir/lz4_1.9.4.orig.tar.gz" ] || curl -sfL -o "$dir/lz4_1.9.4.orig.tar.gz" https://deb.debian.org/debian/pool/main/l/lz4/lz4_1.9.4.orig.tar.gz
GOMODCACHE=$(go env GOMODCACHE) go run ./scanner/eval licences -archives "$dir"
