#!/usr/bin/env python3
"""Measures how many pieces of text without a grammar are found: pieces of files are pasted into other files of the same extension.

    docs/eval/sides.sh SIDES REPOS_DIR docs/eval/sides-of-owners.tsv all all
    docs/eval/pasted.py PROGRAM SIDES WORK [HOSTS]

SIDES is what sides.sh left. Pieces are of repositories of side a, which SIDES/base.a has. They are pasted into files of side b and, first, of the work
trees HOSTS/OWNER+NAME, such as those of drawn-sixteenth.tsv. A seed chooses files, places and pieces, at most 120 of a kind and size. Found: findings
cover half of the lines. WORK receives the files. Prints a row for each kind of text, with the share found of pieces of each size in tokens.
"""
import collections, json, os, random, re, shutil, subprocess, sys

program, sides, work = (os.path.abspath(a) for a in sys.argv[1:4])
hosts = os.path.abspath(sys.argv[4]) if len(sys.argv) > 4 else None
kinds = {
    "code without a grammar": ".pl .pm .m4 .cmake .vim .el .ps1 .sql .proto .awk .hs .ex .erl .fs .nix .gd .tcl .bat .cmd .r .jl .lisp .clj .nim .zig .d .pas",
    "style sheets": ".css .scss .less",
    "documents": ".md .rst .txt .adoc",
    "pages": ".html .erb .mustache .hbs .haml .twig .tpl .phtml .jinja .j2 .htm .slim",
    "settings and others": ".conf .in .cfg .dat .service .spec .po .types .desktop .rules .ini.example .example .template .tmpl .def .list",
}
sizes, most = (60, 120, 250, 500), 120
token = re.compile(r"\w+|[^\w\s]")
chance = random.Random(16)
here = os.path.dirname(os.path.abspath(__file__))
side = {}
for l in open(os.path.join(here, "sides-of-owners.tsv")):
    if not l.startswith("#"):
        f = l.rstrip("\n").split("\t")
        side[f[3].removeprefix("pkg:github/").replace("/", "+")] = f[1]


def files(root, exts):
    """Lists the files of a work tree that have one of the extensions and 2 to 200 KB."""
    out = []
    for at, dirs, names in os.walk(root):
        dirs[:] = [d for d in dirs if d not in (".git", "node_modules", "vendor")]
        for n in names:
            p = os.path.join(at, n)
            if (os.path.splitext(n)[1].lower() in exts or any(n.endswith(e) for e in exts if e.count(".") > 1)) and not os.path.islink(p) and 2000 < os.path.getsize(p) < 200000:
                out.append(p)
    return out


def lines(path):
    try:
        with open(path, encoding="utf8") as f:
            return f.read().split("\n")
    except ValueError:
        return []


def piece(text, size):
    """Returns the lines [first, last) of a piece of about so many tokens."""
    counts = [len(token.findall(l)) for l in text]
    starts = [i for i in range(len(text)) if counts[i] and sum(counts[i:]) >= size]
    if not starts:
        return None
    first = last = chance.choice(starts)
    n = 0
    while n < size:
        n, last = n + counts[last], last + 1
    return (first, last) if n <= size * 1.4 else None


trees = {s: [os.path.join(sides, "src", n) for n in sorted(side) if side[n] == s and os.path.isdir(os.path.join(sides, "src", n))] for s in "ab"}
sources, targets = {}, {}
for kind, exts in kinds.items():
    exts = tuple(exts.split())
    sources[kind] = []
    for t in trees["a"]:
        fs = sorted(files(t, exts))
        chance.shuffle(fs)
        sources[kind] += fs[:6]
    first = [p for n in (sorted(os.listdir(hosts)) if hosts else []) for p in sorted(files(os.path.join(hosts, n), exts))[:20]]
    targets[kind] = first + [p for t in trees["b"] for p in sorted(files(t, exts))[:3]]
places = os.path.join(work, "pasted")
shutil.rmtree(places, ignore_errors=True)
os.makedirs(places)
made = []
for k, kind in enumerate(kinds):
    chance.shuffle(sources[kind])
    for size in sizes:
        n = 0
        for p in sources[kind]:
            text = lines(p)
            if n == most or not text or not (at := piece(text, size)):
                continue
            host = lines(chance.choice([h for h in targets[kind] if os.path.splitext(h)[1] == os.path.splitext(p)[1]] or targets[kind]))
            if not host:
                continue
            into = chance.randrange(len(host))
            name = f"{k}-{size}-{n}{os.path.splitext(p)[1]}"
            with open(os.path.join(places, name), "w") as f:
                f.write("\n".join(host[:into] + text[at[0] : at[1]] + host[into:]))
            made.append((name, kind, size, into + 1, into + at[1] - at[0]))
            n += 1
report = os.path.join(work, "pasted.json")
subprocess.run([program, "scan", "pasted", "--baseline", os.path.join(sides, "base.a"), "--offline", "--fail-on", "never", "--format", "json", "--output", report],
               cwd=work, check=True, env=os.environ | {"GIT_CEILING_DIRECTORIES": work})
by = collections.defaultdict(list)
for f in json.load(open(report))["findings"]:
    by[os.path.basename(f["path"])].append(f)
hits, all_ = collections.Counter(), collections.Counter()
for name, kind, size, first, last in made:
    covered = {l for f in by[name] for l in range(max(first, f["startLine"]), min(last, f["endLine"]) + 1)}
    all_[kind, size] += 1
    hits[kind, size] += 2 * len(covered) >= last - first + 1
print("| found | " + " | ".join(f"{s} tokens" for s in sizes) + " |\n|---|" + "--:|" * len(sizes))
for kind in kinds:
    print(f"| {kind} | " + " | ".join(f"{hits[kind, s] / max(1, all_[kind, s]):.2f} of {all_[kind, s]}" for s in sizes) + " |")
