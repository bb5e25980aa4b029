"""Unpacks the sets of assistant.sh, and counts what a scan of them finds.

    assistant.py unpack FILE.txtar DIR
    assistant.py count recited.tsv DIR recited.json independent.json PACKAGES

PACKAGES has the package URLs of the baselines, one a line. A recited file is found if findings cover half of its lines
that are not blank. It is named if any origin of any finding is a version of the package that was asked for, and
named first if that is the first origin of the longest finding. Half of each set, by the digest of
the path, is held back: nothing was read there before a change was made.
"""
import collections, hashlib, json, os, sys


def unpack(archive, where):
    out = None
    for line in open(archive, encoding="utf-8"):
        if line.startswith("-- ") and line.endswith(" --\n"):
            path = os.path.join(where, line[3:-4])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            out = open(path, "w", encoding="utf-8")
        elif out:
            out.write(line)


def half(path):
    return "held" if hashlib.sha256(("assistant " + path).encode()).digest()[0] & 1 else "read"


def package(purl):
    """A package URL without its version, in lower case."""
    return purl.split("@")[0].lower()


def judge(path, findings, wanted, where):
    lines = [n for n, l in enumerate(open(os.path.join(where, path), encoding="utf-8"), 1) if l.strip()]
    covered = {n for f in findings for n in range(f["startLine"], f["endLine"] + 1)}
    ranked = sorted(findings, key=lambda f: -f["tokens"])
    names = [[package(o["purl"]) for o in f["origins"]] for f in ranked]
    return {
        "share": sum(n in covered for n in lines) / len(lines),
        "found": 2 * sum(n in covered for n in lines) >= len(lines),
        "any": bool(findings),
        "named": any(wanted in n for n in names),
        "first": bool(names) and names[0][:1] == [wanted],
        "level": [f["level"] for f in ranked],
        "origin": names[0][0] if names else "",
    }


def table(rows, keys):
    print("| %s | files | found | a finding | of origins in the baseline | found | named | first |" % keys)
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    groups = collections.defaultdict(list)
    for r in rows:
        groups[r[keys]].append(r)
    for k, g in sorted(groups.items()) + [("all", rows)]:
        there = [r for r in g if r["there"]]
        print("| %s | %d | %d | %d | %d | %d | %d | %d |" % (
            k, len(g), sum(r["found"] for r in g), sum(r["any"] for r in g), len(there), sum(r["found"] for r in there),
            sum(r["named"] for r in there), sum(r["first"] for r in there)))
    print()


def count(listed, where, recited, independent, packages):
    known = {package(l.strip()) for l in open(packages)}
    by_path = collections.defaultdict(list)
    for f in json.load(open(recited))["findings"]:
        by_path[f["path"]].append(f)
    rows = []
    for line in open(listed):
        if line.startswith("#"):
            continue
        path, purl, file, ask, _ = line.rstrip("\n").split("\t")
        r = judge(path, by_path[path], package(purl), where)
        r.update(path=path, language=path.split("/")[0], ask=ask, half=half(path), there=package(purl) in known)
        rows.append(r)
    for keys in ("ask", "language", "half"):
        table(rows, keys)
    print("recited files that are not found, or whose package is not named first:")
    for r in rows:
        if not r["found"] or r["there"] and not r["first"]:
            print("  %-28s %-5s %-4s share %.2f, %s, first %s%s" % (
                r["path"], r["ask"], r["half"], r["share"], "named" if r["named"] else "not named", r["origin"] or "none",
                "" if r["there"] else " (its package is not in the baseline)"))
    levels = collections.Counter(l for r in rows for l in r["level"])
    print("\nlevels of the findings in recited files:", dict(levels))
    found = json.load(open(independent))["findings"]
    print("findings in independent files:", len(found), dict(collections.Counter(f["level"] for f in found)))
    for f in found:
        print("  %s:%d-%d %s %.3f %s (%s)" % (f["path"], f["startLine"], f["endLine"], f["level"], f["score"], f["origins"][0]["purl"], half(f["path"])))


if __name__ == "__main__":
    {"unpack": unpack, "count": count}[sys.argv[1]](*sys.argv[2:])
