#!/usr/bin/env bash
# Measures what adding a package of 100 files costs baselines of any size.
#
#   growth.sh BASELINE...       prints a table of docs/BASELINES.md
#
# Each BASELINE is copied by hard links, which costs no room, below TMPDIR; it stays as it
# is. Sixteen packages are added one after another, each of 100 new files of 40 functions,
# half of Python and half of C, about 500 KB. CPU is user and system time of the whole
# command, merging included; open is that of "baseline info".
set -euo pipefail
export LC_ALL=C
[ $# -gt 0 ] || { echo "usage: growth.sh BASELINE..." >&2; exit 2; }
work=$(mktemp -d -p "$(dirname "$1")" growth.XXXXXX) # hard links do not leave a file system
trap 'rm -rf "$work"' EXIT
(cd "$(dirname "$0")/../.." && go build -o "$work/git-provenance" ./cmd/git-provenance)
cat >"$work/package.py" <<'END'
import os, random, sys
out, seed = sys.argv[1], int(sys.argv[2])
dice = random.Random(seed)
def term(depth):
    if depth == 0:
        return dice.choice(["a", "b", "c", "len_%d" % dice.randrange(400), str(dice.randrange(100))])
    return "(%s %s %s)" % (term(depth - 1), dice.choice("+ - * / % < > & | ^".split()), term(depth - 1))
for i in range(100):
    c = i % 2
    with open(os.path.join(out, "f%d.%s" % (i, "c" if c else "py")), "w") as f:
        for j in range(40):
            name = "f%d_%d" % (dice.randrange(10**6), j)
            f.write("int %s(int a, int b, int c) { return %s; }\n" % (name, term(3)) if c else "def %s(a, b, c):\n    return %s\n" % (name, term(3)))
END
for n in $(seq 16); do mkdir "$work/p$n"; python3 "$work/package.py" "$work/p$n" "$n"; done
cpu() { /usr/bin/time -a -o "$work/$1" -f '%U %S' "${@:2}" >/dev/null; }
echo "Machine: $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(go version | cut -d' ' -f3,4), commit $(git -C "$(dirname "$0")" rev-parse --short=12 HEAD)."
echo
echo "| postings | documents | segments before, after | bytes a posting | all files, of the source | open, CPU s | add, CPU s: mean | median | largest |"
echo "|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
for b; do
  rm -rf "$work/b" "$work/open" "$work/add"
  cp -al "$b" "$work/b"
  rm -f "$work/b/lock"
  "$work/git-provenance" baseline info --growth --format json --baseline "$work/b" >"$work/before.json"
  for _ in 1 2 3; do cpu open "$work/git-provenance" baseline info --baseline "$work/b"; done
  for n in $(seq 16); do cpu add "$work/git-provenance" baseline add "$work/p$n" --purl "pkg:generic/growth@$n" --license MIT --baseline "$work/b"; done
  "$work/git-provenance" baseline info --growth --format json --baseline "$work/b" >"$work/after.json"
  python3 - "$work" <<'END'
import json, statistics, sys
w = sys.argv[1]
before, after = (json.load(open(w + "/" + n + ".json")) for n in ("before", "after"))
times = lambda n: sorted(sum(map(float, l.split())) for l in open(w + "/" + n))
total = lambda k: sum(s[k] for s in before)
add = times("add")
print("| %d | %d | %d, %d | %.2f | %.1f %% | %.2f | %.2f | %.2f | %.2f |" % (total("postings"), total("documents"), len(before), len(after),
    total("indexBytes") / total("postings"), 100 * total("bytes") / total("source"), times("open")[1], statistics.mean(add), statistics.median(add), add[-1]))
END
done
