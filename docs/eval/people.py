#!/usr/bin/env python3
"""Measures how many copies that people made are found: people.tsv, which says how they were chosen.

    docs/eval/people.py PROGRAM WORK REPOS_DIR TABLE [HALF]

The packages of the table are fetched into WORK: npm pack, go mod download, apt-get source (sources of Debian 12); REPOS_DIR/OWNER+NAME/repo
are bare clones. Packages of origins and the others that are known are indexed whole, Go's standard library from GOROOT, Python's from
Lib. Places and strangers are scanned, each file alone. Found: findings cover half of the region. First: the lines of these findings
name the origin first. Overlap: of lines of findings and of the region, with code, those that are in both, median.
WORK/people.tsv has the table with the result, WORK/strangers.tsv the findings in files of strangers.
"""
import collections, glob, json, os, shutil, statistics, subprocess, sys, zipfile

program, work, repos, table = (os.path.abspath(a) for a in sys.argv[1:5])
half = sys.argv[5] if len(sys.argv) > 5 else "ab"
os.makedirs(work, exist_ok=True)
os.environ["GIT_CEILING_DIRECTORIES"] = work
rows = [l.rstrip("\n").split("\t") for l in open(table) if not l.startswith("#")]
rows = [r + [""] * (11 - len(r)) for r in rows]


def run(*args, cwd=work, **more):
    return subprocess.run(args, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def bare(name):
    """Returns the git directory of a repository on GitHub."""
    repo = os.path.join(repos, name.replace("/", "+"), "repo")
    if not os.path.isdir(repo):
        run("git", "clone", "--quiet", "--bare", f"https://github.com/{name}", repo)
    return repo + "/.git" if os.path.isdir(repo + "/.git") else repo


def file(purl, path):
    """Returns the bytes of a file of a package."""
    if purl.startswith("pkg:github/"):
        name, version = purl[len("pkg:github/"):].rsplit("@", 1)
        return subprocess.run(["git", "--git-dir", bare(name), "show", f"{version}:{path}"], check=True, stdout=subprocess.PIPE).stdout
    with open(os.path.join(fetch(purl), path), "rb") as f:
        return f.read()


def fetch(purl):
    """Returns the directory that has the sources of a package."""
    kind, rest = purl[len("pkg:"):].split("/", 1)
    name, version = rest.rsplit("@", 1)
    if name == "std":
        return run("go", "env", "GOROOT").strip() + "/src"
    at = os.path.join(work, "src", purl.replace("/", "+").replace(":", "+"))
    if not os.path.isdir(at):
        new = at + ".new"
        shutil.rmtree(new, ignore_errors=True)
        os.makedirs(new)
        if kind == "github":
            git = bare(name)
            names = run("git", "--git-dir", git, "ls-tree", "-r", "--name-only", version).split("\n")
            ends = {"." + n.rsplit(".", 1)[-1] for n in names} & set(".c .cc .cpp .cs .go .h .hpp .java .js .kt .mjs .php .py .rb .rs .scala .swift .ts .tsx".split())
            for e in sorted(ends):  # one by one: a blob that lacks ends a checkout
                subprocess.run(["git", "--git-dir", git, "--work-tree", new, "checkout", "-q", version, "--", f":(glob)**/*{e}"],
                               env=os.environ | {"GIT_INDEX_FILE": new + ".index"}, stderr=subprocess.DEVNULL)
            os.path.exists(new + ".index") and os.remove(new + ".index")
        elif kind == "npm":
            tar = run("npm", "pack", "--silent", f"{name}@{version}", cwd=new).strip().split("\n")[-1]
            run("tar", "xzf", tar, "--strip-components=1", "--exclude=*.map", "--exclude=*.min.js", cwd=new)
            os.remove(os.path.join(new, tar))
        elif kind == "golang":  # its archive: Go does not unpack a module that needs a later Go
            got = json.loads(subprocess.run(["go", "mod", "download", "-json", f"{name}@{version}"], stdout=subprocess.PIPE).stdout)
            with zipfile.ZipFile(got["Zip"]) as z:
                z.extractall(new + ".zip")
            os.rmdir(new)
            os.rename(os.path.join(new + ".zip", f"{name}@{version}"), new)
            shutil.rmtree(new + ".zip")
        else:
            run("apt-get", "-qq", "source", "--download-only", "--tar-only", name.split("/")[-1], cwd=new)
            for tar in glob.glob(new + "/*.tar.*"):
                run("tar", "xf", tar, "--strip-components=1", cwd=new)
                os.remove(tar)
        os.rename(new, at)
    return at


def indexed(purl):
    """Returns what of a package is indexed. Two are also places or copies of much else, so only a part is."""
    parts = {"python3.11": "Lib", "Squirrel.Windows": "src/Update/Mono.Options"}
    return os.path.join(fetch(purl), parts.get(purl.rsplit("@", 1)[0].split("/")[-1], ""))


def lines(region):
    return {l for part in region.split(",") for f, t in [part.split("-")] for l in range(int(f), int(t) + 1)}


def scan(name, chosen):
    """Scans the files of rows, each in a directory of its own; returns the findings by row."""
    shutil.rmtree(os.path.join(work, name), ignore_errors=True)
    for i, r in chosen:
        os.makedirs(os.path.join(work, name, f"{i:04d}"))
        with open(os.path.join(work, name, f"{i:04d}", os.path.basename(r[4])), "wb") as f:
            f.write(file(r[3], r[4]))
    out = collections.defaultdict(list)
    run(program, "scan", name, "--baseline", "base", "--offline", "--fail-on", "never", "--format", "json", "--output", name + ".json")
    for f in json.load(open(os.path.join(work, name + ".json")))["findings"]:
        out[int(f["path"].split("/")[-2])].append(f)
    return out


purls = dict.fromkeys([r[6] for r in rows if r[6]] + [r[3] for r in rows if r[0] == "known"])
with open(os.path.join(work, "known.list"), "w") as f:
    f.writelines(f"{indexed(p)}\t{p}\t\t\n" for p in purls)
shutil.rmtree(os.path.join(work, "base"), ignore_errors=True)
run(program, "baseline", "add", "--offline", "--list", "known.list", "--baseline", "base")

places = [(i, r) for i, r in enumerate(rows) if r[0] in half]
found, result = scan("places", places), []
for i, r in places:
    text = open(os.path.join(work, "places", f"{i:04d}", os.path.basename(r[4])), errors="replace").read().split("\n")
    code = {n for n, l in enumerate(text, 1) if l.strip() and l.strip()[0] not in "*#" and not l.strip().startswith(("//", "/*"))}
    region, all_lines, first = lines(r[5]) & code, set(), collections.Counter()
    for f in found[i]:
        of = set(range(f["startLine"], f["endLine"] + 1)) & code
        all_lines |= of
        first[f["origins"][0]["purl"].lower()] += len(of & region)
    share = len(all_lines & region) / len(region)
    right = share > 0 and first.most_common(1)[0][0] == r[6].lower()
    result.append((r, share >= 0.5, right, len(all_lines & region) / len(all_lines | region)))
with open(os.path.join(work, "people.tsv"), "w") as f:
    f.writelines("\t".join(r + ["found" if ok else "missed", "first" if right else "", f"{overlap:.2f}"]) + "\n" for r, ok, right, overlap in result)


def table_of(name, of):
    print(f"\n| {name} | copies | found | share | first | overlap |\n|---|--:|--:|--:|--:|--:|")
    for k in sorted({of(x[0]) for x in result}):
        xs = [x for x in result if of(x[0]) == k]
        hits = [x for x in xs if x[1]]
        overlap = statistics.median(x[3] for x in hits) if hits else 0
        print(f"| {k} | {len(xs)} | {len(hits)} | {len(hits) / len(xs):.3f} | {sum(x[2] for x in hits)} | {overlap:.2f} |")


table_of("half", lambda r: r[0])
table_of("kind", lambda r: r[2])
table_of("language", lambda r: r[1])
strangers = [(i, r) for i, r in enumerate(rows) if r[0] == "strangers"]
found = scan("strangers", strangers) if strangers else {}
with open(os.path.join(work, "strangers.tsv"), "w") as f:
    for i, r in strangers:
        for x in found[i]:
            o = x["origins"][0]
            f.write("\t".join(map(str, [r[3], r[4], x["startLine"], x["endLine"], x["score"], o["purl"], o["path"], o["startLine"], o["endLine"]])) + "\n")
print(f"\n{len(strangers)} files of strangers, {sum(map(len, found.values()))} findings in {sum(1 for i, _ in strangers if found[i])} files")
