#!/usr/bin/env bash
# Makes a git repository out of the versions of published packages: one commit for
# each version of each package, at the time of its release, all in one line.
#
#   import.sh REPOSITORY [VERSIONS]
#
# REPOSITORY is a bare repository to be made; VERSIONS (default 60) is how many
# versions of a package are taken, the latest ones that are no previews. Packages
# come from the Go proxy and npm through their ordinary clients. Needs room for
# the archives below TMPDIR.
set -euo pipefail
export LC_ALL=C GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
usage="usage: import.sh REPOSITORY [VERSIONS]"
repo=${1:?$usage} versions=${2:-60}

die() { echo "import.sh: $*" >&2; exit 2; }
need() { command -v "$1" >/dev/null || die "$1 is missing: install the package $2"; }
need go golang; need git git; need python3 python3; need npm npm
[ ! -e "$repo" ] || die "$repo exists"

modules="github.com/klauspost/compress github.com/spf13/cobra github.com/gin-gonic/gin github.com/sirupsen/logrus
github.com/stretchr/testify github.com/labstack/echo/v4 github.com/prometheus/client_golang github.com/gorilla/websocket
github.com/valyala/fasthttp go.uber.org/zap golang.org/x/net golang.org/x/text golang.org/x/crypto
google.golang.org/protobuf k8s.io/apimachinery"
packages="express axios commander yargs chalk debug"

work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
export GOMODCACHE=$work/mod GOFLAGS=-mod=mod GOWORK=off
mkdir "$work/main" "$work/zip" "$work/npm"
cd "$work/main" && go mod init main 2>/dev/null
list=$work/list # time, registry, name, version, archive

for m in $modules; do
  go list -m -versions "$m" | tr ' ' '\n' | tail -n +2 | { grep -v -e - || true; } | tail -n "$versions" | sed "s#^#$m@#" >"$work/wanted"
  xargs go mod download -json <"$work/wanted" >"$work/got" || true # what a proxy refuses is left out
  python3 - "$work/got" "$work/zip" <<'END' >>"$list"
import json, os, shutil, sys
text, decoder = open(sys.argv[1]).read().strip(), json.JSONDecoder()
while text:
    m, end = decoder.raw_decode(text)
    text = text[end:].strip()
    if m.get("Error"):
        continue
    to = os.path.join(sys.argv[2], "%s@%s.zip" % (m["Path"].replace("/", "+"), m["Version"]))
    shutil.move(m["Zip"], to)
    print(json.load(open(m["Info"]))["Time"], "go", m["Path"], m["Version"], to, sep="\t")
END
  chmod -R u+w "$GOMODCACHE" && rm -rf "$GOMODCACHE"
done

for p in $packages; do
  npm view --loglevel error "$p" time --json >"$work/times"
  python3 - "$work/times" "$versions" "$p" "$work/npm" <<'END' >"$work/wanted"
import json, os, re, sys
times = {v: t for v, t in json.load(open(sys.argv[1])).items() if re.fullmatch(r"\d+\.\d+\.\d+", v)}
for v in sorted(times, key=lambda v: (times[v], v))[-int(sys.argv[2]):]:
    print(times[v], "npm", sys.argv[3], v, os.path.join(sys.argv[4], "%s-%s.tgz" % (sys.argv[3], v)), sep="\t")
END
  awk -F'\t' '{print $3 "@" $4}' "$work/wanted" | (cd "$work/npm" && xargs npm pack --loglevel error >/dev/null)
  cat "$work/wanted" >>"$list"
done

git init -q --bare -b main "$repo"
sort "$list" | python3 -c '
import datetime, hashlib, io, sys, tarfile, zipfile

def files(registry, archive):
    if registry == "go":
        with zipfile.ZipFile(archive) as z:
            prefix = z.namelist()[0].split("@")[0].count("/") + 1
            for i in z.infolist():
                yield i.filename.split("/", prefix)[-1], z.read(i)
    else:
        with tarfile.open(archive) as t:
            for i in t:
                if i.isfile():
                    yield i.name.split("/", 1)[-1], t.extractfile(i).read()

out, marks = sys.stdout.buffer, {}
for line in sys.stdin:
    time, registry, name, version, archive = line.rstrip("\n").split("\t")
    when = int(datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp())
    changes = []
    for path, body in sorted(files(registry, archive)):
        if any(c < " " or c == "\"" for c in path) or ".git" in path.split("/"):
            continue
        key = hashlib.sha256(body).digest()
        if key not in marks:
            marks[key] = len(marks) + 1
            out.write(b"blob\nmark :%d\ndata %d\n%s\n" % (marks[key], len(body), body))
        changes.append("M 100644 :%d %s/%s/%s\n" % (marks[key], registry, name, path))
    text = "%s %s\n" % (name, version)
    out.write(("commit refs/heads/main\ncommitter importer <importer@example.org> %d +0000\ndata %d\n%sD %s/%s\n%s\n" %
        (when, len(text), text, registry, name, "".join(changes))).encode())
' | git -C "$repo" fast-import --quiet
git -C "$repo" repack -q -adf --depth=50 --window=20
echo "$(git -C "$repo" rev-list --count main) commits, $(cut -f3 "$list" | sort -u | wc -l) packages, $(git -C "$repo" count-objects -v | sed -n 's/^in-pack: //p') objects"
