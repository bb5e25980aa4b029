#!/usr/bin/env bash
# Learns baseline/model/api.bin, the names that platforms declare, anew:
#
#   docs/bench/names.sh DIR
#
# Fetches standard libraries, and some libraries that much code is written
# against, from npm, the Go proxy, Debian and GitHub, lists what they declare for others
# to use (names.py) in DIR/names, one file a platform, and has hashes of that
# written. Nothing of the packages is kept but bits of hashes of names. The same
# packages give the same bytes; sums of the lists are in names.sha256.
#
# No package of docs/eval (packages.sh, fresh.sh, sealed.sh) may be among them, but
# for Go's standard library: what is measured there nothing may have seen.
#
# Android's names come from bindings of its SDK and of AndroidX, and from the sources of the SDK (Debian has those of Android 10).
# Apple's SDK is not published as text. Its names come from bindings of it and from open
# programs that have the interfaces of its Swift modules, by their commits on GitHub. Those of Foundation
# are a list of their own besides (PlatformsOf in baseline/model/platforms.go).
#
# Versions are pinned. Of the JDK, PHP, GLib, GTK, Qt, Linux and libraries of C, whose old versions
# Debian drops with each security update, the version there is is taken: updates add no API.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:?usage: names.sh DIR}
mkdir -p "$dir/dl" "$dir/x"; dir=$(cd "$dir" && pwd)

NPM_PACKAGES="
typescript@5.4.5
@types/node@20.12.7
@types/react@18.2.79
@types/jest@29.5.12
@types/chai@4.3.14
@types/estree@1.0.5
@nativescript/types-android@9.1.1
pyright@1.1.350
"
GO_MODULES="
github.com/stretchr/testify@v1.9.0
github.com/sirupsen/logrus@v1.9.3
go.uber.org/zap@v1.27.0
google.golang.org/grpc@v1.63.2
google.golang.org/protobuf@v1.33.0
golang.org/x/sys@v0.19.0
"
DEB_PACKAGES="
openjdk-17-jdk-headless
junit4=4.13.2-3
libhamcrest-java=2.2-1
libslf4j-java=1.7.32-1
libservlet-api-java=4.0.1-2
libwebsocket-api-java=1.1-2
libjaxrs-api-java=2.1.2-2
kotlin=1.3.31+ds1-1
scala-library=2.11.12-5
musl-dev=1.2.3-1
mingw-w64-common=10.0.0-3
libstdc++-11-dev=11.3.0-12
libc6-dev
linux-libc-dev
libasound2-dev
libcap-dev
libdbus-1-dev
libegl-dev
libexpat1-dev
libfreetype-dev
libfuse3-dev
libgl-dev
libice-dev
libjpeg62-turbo-dev
liblua5.4-dev
libmariadb-dev
libmotif-dev
libncurses-dev
libpam0g-dev
libpcap0.8-dev
libpng-dev
libpq-dev
libpython3.11-dev
libsdl2-dev
libsm-dev
libsqlite3-dev
libssl-dev
libudev-dev
libusb-1.0-0-dev
libvulkan-dev
libx11-dev
libxaw7-dev
libxcursor-dev
libxext-dev
libxfixes-dev
libxft-dev
libxi-dev
libxinerama-dev
libxmu-headers
libxpm-dev
libxrandr-dev
libxrender-dev
libxt-dev
libxtst-dev
libxxf86vm-dev
x11proto-dev
manpages-dev=6.03-2
libxcb1-dev
libxcb-composite0-dev
libxcb-cursor-dev
libxcb-damage0-dev
libxcb-dri3-dev
libxcb-ewmh-dev
libxcb-icccm4-dev
libxcb-image0-dev
libxcb-keysyms1-dev
libxcb-present-dev
libxcb-randr0-dev
libxcb-render0-dev
libxcb-shape0-dev
libxcb-shm0-dev
libxcb-sync-dev
libxcb-util-dev
libxcb-xfixes0-dev
libxcb-xinerama0-dev
libxcb-xinput-dev
libxcb-xkb-dev
libxkbcommon-dev
libwayland-dev
wayland-protocols
libdrm-dev
libgbm-dev
libinput-dev
libcairo2-dev
libfontconfig-dev
libpango1.0-dev
libpulse-dev
libopenal-dev
libglew-dev
libglfw3-dev
libcppunit-dev
libkf5configwidgets-dev
libkf5config-dev
libkf5coreaddons-dev
libkf5crash-dev
libkf5dbusaddons-dev
libkf5i18n-dev
libkf5iconthemes-dev
libkf5kio-dev
libkf5notifications-dev
libkf5widgetsaddons-dev
libkf5windowsystem-dev
libkf5xmlgui-dev
libglib2.0-dev
libgtk-3-dev
qtbase5-dev
python3-pytest=7.2.1-2
php-psr-cache=1.0.1-3
php-psr-container=1.1.2-1
php-psr-event-dispatcher=1.0.0-2
php-psr-http-client=1.0.1-2
php-psr-http-factory=1.0.1-3
php-psr-http-message=1.0.1-3
php-psr-link=1.1.1-1
php-psr-log=1.1.4-2
php-psr-simple-cache=1.0.1-1
rust-src=1.63.0+dfsg1-2
lua-check=1.1.0-1
libmono-corlib4.5-dll=6.8.0.105+dfsg-3.3+deb12u1
libmono-system4.0-cil=6.8.0.105+dfsg-3.3+deb12u1
libmono-system-core4.0-cil=6.8.0.105+dfsg-3.3+deb12u1
libmono-system-xml4.0-cil=6.8.0.105+dfsg-3.3+deb12u1
libmono-system-xml-linq4.0-cil=6.8.0.105+dfsg-3.3+deb12u1
libmono-system-data4.0-cil=6.8.0.105+dfsg-3.3+deb12u1
libmono-system-net-http4.0-cil=6.8.0.105+dfsg-3.3+deb12u1
"
# of these the upstream archive, which updates leave alone, but for PHP's
DEB_SOURCES="
ruby3.1
php8.2
android-platform-frameworks-base
"

GIT_REPOSITORIES="
dotnet/macios@d0107f435002688f0f6dd9241ddeca330b181630
swiftlang/swift-corelibs-foundation@761b621da93a856a48995efc29ed11028c283306
swiftlang/swift-foundation@767ff1c2e3a55385f44ccf28a83f21f3571cf3ea
swiftlang/swift-corelibs-xctest@cc562f728ece742925b75216ee5a16748655fea8
swiftlang/swift-corelibs-libdispatch@024805abec6daa9cdda569fd736b9c7686dfd735
OpenSwiftUIProject/OpenSwiftUI@069dd80bce30bb9117b783e963c0ed7f741c7587
TokamakUI/Tokamak@e0d8e9db462938610337327ade58161aa3b698ac
OpenCombine/OpenCombine@1c6f02c7ed8140c0ba7a783aaddb6e0685a0037b
"

for p in $NPM_PACKAGES; do
  to=$dir/x/npm/${p%@*}
  [ -d "$to" ] && continue
  t=$(cd "$dir/dl" && npm pack --silent "$p" | tail -1)
  mkdir -p "$to.tmp"; tar xzf "$dir/dl/$t" -C "$to.tmp"; mv "$to.tmp" "$to"
done

for m in $GO_MODULES; do
  d=$(cd / && GOFLAGS=-mod=mod go mod download -json "$m" | sed -n 's/^\t*"Dir": "\(.*\)",\{0,1\}$/\1/p')
  [ -d "$d" ] || { echo "go module $m: no directory" >&2; exit 1; }
  mkdir -p "$dir/x/go"; ln -sfn "$d" "$dir/x/go/$(echo "${m%@*}" | tr / _)"
done

a=$dir/dl/apt; mkdir -p "$a/lists/partial" "$a/cache/archives/partial"
mirror=${DEBIAN_MIRROR:-$(grep -rhoE "https?://[^ ]+/debian( |$)" /etc/apt/sources.list* 2>/dev/null | grep -v snapshot | head -1 | tr -d " ")}   # the mirror this machine already uses
printf 'deb%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s bookworm main\n' '' "$mirror" -src "$mirror" >"$a/sources.list"
o="-o Dir::Etc::sourcelist=$a/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$a/lists -o Dir::State::status=/dev/null -o Dir::Cache=$a/cache -o APT::Sandbox::User=root"
apt-get $o -qq update
for p in $DEB_PACKAGES; do
  to=$dir/x/deb/${p%=*}
  [ -d "$to" ] && continue
  (cd "$dir/dl" && apt-get $o -qq download "$p")
  mkdir -p "$to.tmp"; dpkg-deb -x "$dir/dl/${p%=*}"_*.deb "$to.tmp"; mv "$to.tmp" "$to"
done
for p in $DEB_SOURCES; do
  to=$dir/x/src/$p
  [ -d "$to" ] && continue
  mkdir -p "$dir/dl/$p" "$to.tmp"
  (cd "$dir/dl/$p" && apt-get $o -qq source --download-only --tar-only "$p" >/dev/null)
  tar xf "$dir/dl/$p"/*.orig.tar.?z -C "$to.tmp"; mv "$to.tmp" "$to"
done

for r in $GIT_REPOSITORIES; do
  repo=${r%@*} to=$dir/x/git/${r#*/}; to=${to%@*}
  [ -d "$to" ] && continue
  git init --quiet "$to.tmp"
  git -C "$to.tmp" fetch --quiet --depth 1 "https://github.com/$repo" "${r#*@}"
  git -C "$to.tmp" checkout --quiet FETCH_HEAD
  rm -rf "$to.tmp/.git"; mv "$to.tmp" "$to"
done

python3 "$here/names.py" "$dir/x" "$dir/names"
cd "$here/../.."
(cd "$dir/names" && sha256sum -- *.txt) | diff docs/bench/names.sha256 - >&2 ||
  (cd "$dir/names" && sha256sum -- *.txt) >docs/bench/names.sha256
go test ./baseline/model -run 'TestAPI$' -count=1 -args -update-api="$dir/names"
wc -l "$dir"/names/*.txt
ls -l baseline/model/api.bin
