#!/usr/bin/env bash
# Makes the program ready for the steps of action.yml, and writes its path to the
# output "program". Reads BINARY, BASE_URL and ACTION_DIR, and the runner's own
# variables. Released archives are pinned by the checksums in the action's tree: a
# moved asset cannot change what a pinned action runs. Where none fits, the program
# is built of that very tree.
set -euo pipefail

fail() { echo "::error title=git-provenance::$*"; exit 2; }
ready() { echo "program=$1" >>"$GITHUB_OUTPUT"; exit 0; }
sum() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1; }

if [ -n "${BINARY:-}" ]; then
  [ -f "$BINARY" ] || fail "the input binary names no file: $(printf %q "$BINARY")"
  case $BINARY in /* | ?:[\\/]*) ready "$BINARY" ;; *) ready "$PWD/$BINARY" ;; esac
fi

case ${RUNNER_OS:-} in
  Linux) os=linux ext=tar.gz exe= ;;
  macOS) os=darwin ext=tar.gz exe= ;;
  Windows) os=windows ext=zip exe=.exe ;;
  *) fail "unknown RUNNER_OS: $(printf %q "${RUNNER_OS:-}")" ;;
esac
case ${RUNNER_ARCH:-} in
  X64) arch=amd64 ;;
  ARM64) arch=arm64 ;;
  *) arch=none ;; # is built
esac

dir=$(mktemp -d "${RUNNER_TEMP:?}/git-provenance-program-XXXXXX")
program=$dir/git-provenance$exe

# Lines of checksums.txt are "SHA256  git-provenance_VERSION_OS_ARCH.EXT".
read -r want file <<<"$(awk -v end="_${os}_${arch}.$ext" '!/^#/ && substr($2, length($2) - length(end) + 1) == end { print $1, $2 }' "$ACTION_DIR/action/checksums.txt" | tail -n 1)" || true

if [ -n "${file:-}" ]; then
  version=${file#git-provenance_}
  version=${version%"_${os}_${arch}.$ext"}
  url=${BASE_URL:-https://github.com/git-provenance/git-provenance/releases/download/v$version}/$file
  curl -fsSL --retry 3 --retry-all-errors --max-time 300 -o "$dir/$file" "$url" ||
    fail "cannot download $(printf %q "$url"): the input base-url names a mirror, the input binary an own program"
  got=$(sum "$dir/$file")
  [ "$got" = "$want" ] || fail "the checksum of $file is $got instead of $want"
  if [ "$ext" = zip ]; then unzip -oq "$dir/$file" -d "$dir"; else tar -xzf "$dir/$file" -C "$dir"; fi
  [ -f "$program" ] || fail "$file does not hold the program"
  ready "$program"
fi

command -v go >/dev/null || fail "no release for $os/$arch in action/checksums.txt, and no Go to build the program with: add actions/setup-go before this action, or give the input binary"
command -v gcc >/dev/null || command -v clang >/dev/null || command -v cc >/dev/null ||
  echo "::warning title=git-provenance::no C compiler: the program is built without grammars, and compares some languages by their words only (README.md, Languages)"
echo "building git-provenance: no release for $os/$arch"
(cd "$ACTION_DIR" && go build -trimpath -buildvcs=false -o "$program" ./cmd/git-provenance) || fail "cannot build the program"
ready "$program"
