"""Pastes functions into files of languages that extend C or C++, and counts those that a scan finds.

  relatives.py PROGRAM WORK REPOS_DIR LIST

LIST is relatives.tsv: test, role, repository, commit, endings of files. Functions of 12 to 45 lines come from repositories of the role
"origin". At most 150 are pasted into files of the role "host", drawn by a seed: as they are; with their most frequent names replaced;
and with a further call behind each sixth statement too. The files of a test are scanned with a baseline of its origins. Repositories
come from bare clones REPOS_DIR/OWNER+NAME/repo. WORK is made anew.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys

FUNCTION = re.compile(r"(?m)^[A-Za-z_+\-@][^\n;{}]*(?:\n[^\n;{}]+)*\n?\{\n(?:.*\n)*?\}\n")
RESERVED = set("""if else for while do return switch case break continue sizeof struct const static void int float double char unsigned long
    short bool auto this self nil NULL true false YES NO id in new delete template typename using inline constexpr class enum union typedef
    extern default goto strong weak nonatomic copy""".split())


def unpack(repo, commit, endings, top, repos):
    if os.path.exists(top):
        return
    os.makedirs(top)
    for ending in endings:  # one by one: git stops at names that nothing has
        archive = subprocess.run(["git", "-C", os.path.join(repos, repo.replace("/", "+"), "repo"), "archive", commit, "*" + ending], capture_output=True, check=False)
        subprocess.run(["tar", "-x", "-C", top], input=archive.stdout, capture_output=True, check=False)


def files(top):
    for folder, folders, names in os.walk(top):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                with open(path, encoding="utf-8", errors="replace") as f:
                    yield path, f.read()


def renamed(function):
    """Six names that are no members, calls or parts of selectors get others."""
    count = {}
    for word in re.findall(r"\b[a-z_]\w+\b", function):
        if word not in RESERVED and not re.search(rf"(->|\.)\s*{word}\b|\b{word}\s*\(|\b{word}:", function):
            count[word] = count.get(word, 0) + 1
    chosen = sorted(count, key=lambda w: (-count[w], w))[:6]
    names = {w: f"zq{i}Val" for i, w in enumerate(chosen)}
    return re.sub(r"\b\w+\b", lambda m: names.get(m.group(), m.group()), function)


def edited(function):
    out, statements = [], 0
    for line in renamed(function).splitlines(True):
        out.append(line)
        if line.rstrip().endswith(";"):
            statements += 1
            if statements % 6 == 0:
                out.append(re.match(r"\s*", line).group() + f"audit({statements});\n")
    return "".join(out)


CHANGES = {"as they are": lambda f: f, "renamed": renamed, "renamed and edited": edited}


def paste(function, path, host, name, target):
    """Writes the host with the function in its middle, and returns the function's lines."""
    ends = [m.end() for m in re.finditer(r"(?m)^\}\n", host)] or [len(host)]
    at = ends[len(ends) // 2]
    name += os.path.splitext(path)[1]
    with open(os.path.join(target, name), "w", encoding="utf-8") as out:
        out.write(host[:at] + "\n" + function + host[at:])
    first = host.count("\n", 0, at) + 2
    return name, (first, first + function.count("\n") - 1)


def run(program, work, repos, test, rows):
    here = os.path.join(work, test)
    target, baseline = os.path.join(here, "target"), os.path.join(here, "baseline")
    os.makedirs(target)
    functions, hosts = set(), []
    for role, repo, commit, endings in rows:
        top = os.path.join(here, role, repo.replace("/", "+"))
        unpack(repo, commit, endings, top, repos)
        if role == "host":
            hosts += [(p, t) for p, t in files(top) if 1500 < len(t) < 40000]
            continue
        subprocess.run([program, "baseline", "add", top, "--purl", "pkg:github/" + repo.lower(), "--license", "MIT", "--baseline", baseline], check=True, capture_output=True)
        functions.update(f for p, t in files(top) if not re.search("(?i)test|spec", os.path.relpath(p, top)) for f in FUNCTION.findall(t) if 12 <= f.count("\n") <= 45)
    functions = sorted(functions)
    rnd = random.Random(7)
    rnd.shuffle(functions)
    places = {}
    for kind, change in CHANGES.items():
        for i, function in enumerate(functions[:150]):
            path, host = rnd.choice(hosts)
            name, lines = paste(change(function), path, host, f"{kind}{i}", target)
            places[name] = kind, lines
    report = json.loads(subprocess.run([program, "scan", "--baseline", baseline, target, "--format", "json"], capture_output=True, check=False).stdout)
    found = set()
    for f in report["findings"]:
        name = os.path.basename(f["path"])
        first, last = places[name][1]
        if min(last, f["endLine"]) - max(first, f["startLine"]) >= (last - first) / 2:
            found.add(name)
    for kind in CHANGES:
        names = [n for n in places if places[n][0] == kind]
        print(f"{test}, {kind}: {sum(n in found for n in names)} of {len(names)} found", flush=True)


def main(program, work, repos, table):
    shutil.rmtree(work, ignore_errors=True)
    tests = {}
    with open(table, encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#"):
                test, role, repo, commit, endings = line.rstrip("\n").split("\t")
                tests.setdefault(test, []).append((role, repo, commit, endings.split()))
    for test, rows in tests.items():
        run(program, work, repos, test, rows)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
