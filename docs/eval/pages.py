"""Pastes functions of JavaScript and TypeScript into the scripts of pages, and counts those that a scan finds.

  pages.py PROGRAM WORK REPOS_DIR LIST

LIST is pages.tsv: role, repository, commit. Functions of 12 to 45 lines come from repositories of the role "origin". They are put at
the end of the last script of pages of the role "host": .vue, .svelte and .html, 100 each, drawn by a seed. Each page is scanned with
a baseline of the origins. Repositories come from bare clones REPOS_DIR/OWNER+NAME/repo. WORK is made anew.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys

FUNCTION = re.compile(r"(?m)^(?:export )?(?:async )?function \w+.*\{\n(?:.*\n)*?\}\n")
KINDS = (".vue", ".svelte", ".html")


def files(top, endings):
    for folder, folders, names in os.walk(top):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(endings) and not os.path.islink(path):
                with open(path, encoding="utf-8", errors="replace") as f:
                    yield path, f.read()


def main(program, work, repos, table):
    shutil.rmtree(work, ignore_errors=True)
    tops = {"origin": [], "host": []}
    for line in open(table, encoding="utf-8"):
        if line.startswith("#"):
            continue
        role, repo, commit = line.rstrip("\n").split("\t")
        top = os.path.join(work, role, repo.replace("/", "+"))
        os.makedirs(top)
        archive = subprocess.run(["git", "-C", os.path.join(repos, repo.replace("/", "+"), "repo"), "archive", commit], capture_output=True, check=False)
        subprocess.run(["tar", "-x", "-C", top], input=archive.stdout, capture_output=True, check=False)  # a clone may lack large files
        tops[role].append(top)
    baseline = os.path.join(work, "baseline")
    for top in tops["origin"]:
        purl = "pkg:github/" + os.path.basename(top).replace("+", "/").lower()
        subprocess.run([program, "baseline", "add", top, "--purl", purl, "--license", "MIT", "--baseline", baseline], check=True, capture_output=True)
    rnd = random.Random(5)
    functions = [
        f
        for top in tops["origin"]
        for path, text in files(top, (".js", ".ts"))
        if not re.search(r"test|spec|\.min\.|\.d\.ts", path)
        for f in FUNCTION.findall(text)
        if 12 <= f.count("\n") <= 45
    ]
    rnd.shuffle(functions)
    target = os.path.join(work, "target")
    os.makedirs(target)
    places = {}
    for kind in KINDS:
        hosts = [t for top in tops["host"] for _, t in files(top, kind) if re.search(r"<script(?![^>]*application)[^>]*>(?!.*<script)", t, re.S) and len(t) < 40000 and "</script>" in t]
        for i, host in enumerate(rnd.sample(hosts, 100)):
            at, function = host.rindex("</script>"), functions.pop()
            name = f"{kind[1:]}{i}{kind}"
            with open(os.path.join(target, name), "w", encoding="utf-8") as out:
                out.write(host[:at] + "\n" + function + host[at:])
            first = host.count("\n", 0, at) + 2
            places[name] = (first, first + function.count("\n") - 1)
    report = json.loads(subprocess.run([program, "scan", "--baseline", baseline, target, "--format", "json"], capture_output=True, check=False).stdout)
    found = set()
    for f in report["findings"]:
        name = os.path.basename(f["path"])
        first, last = places[name]
        if min(last, f["endLine"]) - max(first, f["startLine"]) >= (last - first) / 2:
            found.add(name)
    few = {os.path.basename(e["path"]) for e in report["ledger"] if e["reason"] == "scripts"}
    for kind in KINDS:
        names = [n for n in places if n.endswith(kind)]
        print(f"{kind}: {len(names)} pasted, {sum(n in found for n in names)} found, {sum(n in few - found for n in names)} read as documents")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
