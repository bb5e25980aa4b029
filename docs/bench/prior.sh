#!/usr/bin/env bash
# Learns baseline/model/prior.bin, the model of what is common anywhere, anew:
#
#   docs/bench/corpus.sh DIR && docs/bench/prior.sh DIR
#
# Every package of the corpus is added as a package of its own, so that turns
# and names are counted over directories of unrelated packages. To be run when
# the scheme of token kinds changes; TestPrior notices a prior without them.
set -euo pipefail
corpus=$(cd "${1:?usage: prior.sh CORPUS}" && pwd)
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/git-provenance" ./cmd/git-provenance
(cd "$corpus/src" && ls -d */*) | while read -r p; do
  "$tmp/git-provenance" baseline add "$corpus/src/$p" --purl "pkg:generic/${p//\//-}" --baseline "$tmp/baseline" | tail -1
done
"$tmp/git-provenance" baseline compact --baseline "$tmp/baseline"
go test ./baseline -run 'TestPrior$' -count=1 -update-prior="$tmp/baseline"
ls -l baseline/model/prior.bin
