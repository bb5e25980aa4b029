#!/usr/bin/env python3
"""Establishes who had shared regions first, from the histories of both sides.

usage: direction.py PAIRS REPOS_DIR > direction.tsv

PAIRS has a line for each pair, fields separated by tabs: repository (OWNER/NAME),
commit, package URL, repository of the package (OWNER/NAME), its commit or tag, and
the extensions to look at (.go,.js). REPOS_DIR/OWNER+NAME/repo are bare clones with
all of their history. git-provenance is not involved: this compares lines.

1. A line counts without its margins; lines of fewer than four letters or digits,
   comments and imports do not count. A line that is in more than 20 files of one
   side does not open a match.
2. A region is what difflib aligns of a file of the repository with the file of the
   package that shares most lines with it: stretches of lines with at most three
   others between them, if at least 12 lines are equal. The three largest of each
   pair of files are taken, and at most 24 of a pair of repositories.
3. A side had the region first with the first commit, by committer date, of which a
   changed file holds 60 % of the region's distinct equal lines. All commits that the
   named commit descends from are looked at, and every path with the extensions.
4. "repository" or "origin" is who has the earlier date; "shared" if it is the same
   commit on both sides: the history was taken along. Pairs of dates closer than two
   days are left out.
"""

import collections
import difflib
import re
import subprocess
import sys
import time

SKIP_DIRS = ("vendor/", "node_modules/", "third_party/", "3rdparty/", "testdata/", "dist/", "_examples/")
NOT_CODE = re.compile(r"^(//|#|\*|/\*|--|import\b|from\b.*\bimport\b|package\b|\"[\w./-]+\"$|.*\brequire\()")
MOST = 0.6


def git(repo, *args, data=None):
    return subprocess.run(["git", "-C", repo, *args], input=data, stdout=subprocess.PIPE, check=True).stdout


def blobs(repo, ids):
    """Yields (id, text) of blobs, in one process."""
    out = git(repo, "cat-file", "--batch", data="".join(i + "\n" for i in ids).encode())
    at = 0
    for i in ids:
        end = out.index(b"\n", at)
        if out[at:end].endswith(b" missing"):  # a submodule is listed as a file
            at = end + 1
            continue
        size = int(out[at:end].split()[2])
        yield i, out[end + 1:end + 1 + size].decode("utf-8", "replace")
        at = end + 1 + size + 1


def line(s):
    s = " ".join(s.split())
    if NOT_CODE.match(s) or sum(c.isalnum() for c in s) < 4:
        return ""
    return s


def tree(repo, commit, exts):
    """Returns the files of a commit: path -> lines."""
    ids = {}
    for row in git(repo, "ls-tree", "-r", commit).decode("utf-8", "replace").splitlines():
        meta, path = row.split("\t", 1)
        if path.endswith(exts) and not any(("/" + path).find("/" + d) >= 0 for d in SKIP_DIRS):
            ids[path] = meta.split()[2]
    texts = dict(blobs(repo, sorted(set(ids.values()))))
    return {p: [line(l) for l in texts[i].split("\n")] for p, i in ids.items() if i in texts}


def regions(here, there):
    """Yields (path, first line, last line, path there, set of equal lines)."""
    index = collections.defaultdict(set)
    for p, ls in there.items():
        for l in set(ls) - {""}:
            index[l].add(p)
    for p, ls in sorted(here.items()):
        votes = collections.Counter()
        for l in set(ls) - {""}:
            if len(index.get(l, ())) <= 20:
                votes.update(index.get(l, ()))
        if not votes or votes.most_common(1)[0][1] < 12:
            continue
        best = sorted(votes, key=lambda q: (-votes[q], q))[0]
        yield from aligned(p, ls, best, there[best])


def aligned(p, a, q, b):
    na, nb = [i for i, l in enumerate(a) if l], [i for i, l in enumerate(b) if l]
    m = difflib.SequenceMatcher(None, [a[i] for i in na], [b[i] for i in nb], autojunk=False)
    groups = []
    for x, y, n in m.get_matching_blocks():
        if n and groups and x - groups[-1][1] <= 3 and y - groups[-1][3] <= 3:
            groups[-1][1], groups[-1][3], groups[-1][4] = x + n, y + n, groups[-1][4] + list(range(x, x + n))
        elif n:
            groups.append([x, x + n, y, y + n, list(range(x, x + n))])
    groups = [g for g in groups if len(g[4]) >= 12]
    for g in sorted(groups, key=lambda g: -len(g[4]))[:3]:
        yield p, na[g[0]] + 1, na[g[1] - 1] + 1, q, frozenset(a[na[i]] for i in g[4])


def first(repo, commit, exts, wanted):
    """Dates each set of lines: index -> (time, commit, path)."""
    rows = git(repo, "log", "--format=\x01%H %ct", "--raw", "--no-renames", "--no-abbrev", "--diff-filter=AM", "-m", commit)
    seen, order = {}, []
    for row in rows.decode("utf-8", "replace").splitlines():
        if row.startswith("\x01"):
            c, t = row[1:].split()[:2]
        elif row.startswith(":"):
            meta, path = row.split("\t", 1)
            i, at = meta.split()[3], (int(t), c, path)
            if path.endswith(exts) and not (i in seen and seen[i] <= at):
                seen[i] = at
    order = sorted(seen, key=lambda i: seen[i])
    by_line = collections.defaultdict(list)
    for n, s in enumerate(wanted):
        for l in s:
            by_line[l].append(n)
    out = {}
    for start in range(0, len(order), 2000):
        for i, text in blobs(repo, order[start:start + 2000]):
            hits = collections.Counter()
            for l in {line(l) for l in text.split("\n")}:
                hits.update(by_line.get(l, ()))
            for n, k in hits.items():
                if n not in out and k >= MOST * len(wanted[n]):
                    out[n] = seen[i]
        if len(out) == len(wanted):
            break
    return out


def pair(repos, repository, commit, package, upstream, tag, exts):
    exts = tuple(exts.split(","))
    r, u = (f"{repos}/{n.replace('/', '+')}/repo" for n in (repository, upstream))
    commit, base = (git(d, "rev-parse", c + "^{commit}").decode().strip() for d, c in ((r, commit), (u, tag)))
    found = sorted(regions(tree(r, commit, exts), tree(u, base, exts)), key=lambda x: (-len(x[4]), x[:4]))[:24]
    wanted = [f[4] for f in found]
    here, there = first(r, commit, exts, wanted), first(u, base, exts, wanted)
    for n, (path, start, end, origin, lines) in enumerate(found):
        if n not in here or n not in there:
            continue
        (t1, c1, p1), (t2, c2, p2) = here[n], there[n]
        who = "shared" if c1 == c2 else "repository" if t1 < t2 else "origin"
        if who != "shared" and abs(t1 - t2) < 2 * 86400:
            continue
        how = f"{len(lines)} lines; here first in {c1[:12]} {p1}, there in {c2[:12]} {p2} of {upstream}"
        day = lambda t: time.strftime("%Y-%m-%d", time.gmtime(t))
        print(repository, commit, path, f"{start}-{end}", package, origin, who, day(t1), day(t2), how, sep="\t")


def main():
    print("# repository", "commit", "path", "lines", "package", "origin path", "who first", "date here", "date there", "how known", sep="\t")
    for row in open(sys.argv[1]):
        if row.strip() and not row.startswith("#"):
            pair(sys.argv[2], *row.rstrip("\n").split("\t"))


if __name__ == "__main__":
    main()
