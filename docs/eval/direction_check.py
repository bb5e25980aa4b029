#!/usr/bin/env python3
"""Compares the reports of direction.sh with direction.tsv and prints the figures.

usage: direction_check.py PAIRS TRUTH PREFIX

PREFIX-N/report.json is the report of pair N.

A region of the table is met by the finding of its file that names a package of the
same name and covers most of the region's lines, half of them at least. A finding
may be larger than the region, and have begun with another part of itself.
"""

import collections
import datetime
import json
import re
import sys
import urllib.parse


def name(purl):
    return re.sub(r"/v\d+$", "", urllib.parse.unquote(purl.split("@")[0] if not purl.startswith("pkg:npm/@") else purl.rsplit("@", 1)[0]).lower())


def meet(report, path, first, last, package):
    best, most = None, 0.5 * (last - first + 1)
    for f in report["findings"]:
        if f["path"] == path and any(name(o["purl"]) == name(package) for o in f["origins"]):
            common = min(last, f["endLine"]) - max(first, f["startLine"]) + 1
            if common >= most:
                best, most = f, common
    return best


def main():
    pairs, truth, work = sys.argv[1:4]
    reports, n = {}, 0
    for row in open(pairs):
        if row.strip() and not row.startswith("#"):
            n += 1
            c = row.rstrip("\n").split("\t")
            try:
                reports[c[0], c[2]] = json.load(open(f"{work}-{n}/report.json"))
            except FileNotFoundError:
                print(f"no report of {c[0]} against {c[2]}")
    count, misses = collections.Counter(), []
    for row in open(truth):
        if row.startswith("#"):
            continue
        repo, _, path, lines, package, origin, who, here, there, _ = row.rstrip("\n").split("\t")
        first, last = map(int, lines.split("-"))
        count["rows"] += 1
        if (repo, package) not in reports:
            continue
        f = meet(reports[repo, package], path, first, last, package)
        if not f:
            misses.append(f"not found: {repo} {path}:{lines} {package}")
            continue
        direction = f["direction"]
        if who == "shared":
            count["shared"] += 1
            count["shared " + direction] += 1
            continue
        count["met"] += 1
        count[who] += 1
        want = {"origin": "from", "repository": "to"}[who]
        both = min(last, f["endLine"]) - max(first, f["startLine"]) + 1
        alike = both >= 0.75 * (max(last, f["endLine"]) - min(first, f["startLine"]) + 1)
        at = f"{repo} {path}:{lines} {package}: here {here}, there {there}; {direction}"
        if direction == "unknown":
            misses.append("no direction: " + at)
        else:
            count["given"] += 1
            count["right"] += direction == want
            count["alike given"] += alike
            count["alike right"] += alike and direction == want
            if direction != want:
                misses.append("wrong: " + at)
            count["accused"] += direction == "from" and who == "repository"
        when = (f.get("introduced") or {}).get("time")
        if when:
            count["dated"] += 1
            days = (datetime.date.fromisoformat(when[:10]) - datetime.date.fromisoformat(here)).days
            count["in time"] += abs(days) <= 31
            count["alike"] += alike
            count["alike in time"] += alike and abs(days) <= 31
            if abs(days) > 31:
                misses.append(f"introduced {days:+d} days, {when[:10]}: " + at)
    c = count
    print("\n".join(misses))
    share = lambda a, b: f"{a} of {b} ({a / max(b, 1):.2f})"
    print(f"{c['rows']} regions in the table, {c['met']} with two dates are findings ({c['repository']} here first, {c['origin']} there first)")
    print(f"direction given in {share(c['given'], c['met'])}, right in {share(c['right'], c['given'])}")
    print(f"of these, where finding and region have three quarters of their lines in common: {share(c['alike right'], c['alike given'])}")
    print(f"from said where the repository was first: {c['accused']} (must be 0)")
    print(f"introduced right within 31 days in {share(c['in time'], c['dated'])}")
    print(f"of these, where finding and region have three quarters of their lines in common: {share(c['alike in time'], c['alike'])}")
    print(f"of {c['shared']} regions that came with the history: from {c['shared from']}, to {c['shared to']}, unknown {c['shared unknown']}")


if __name__ == "__main__":
    main()
