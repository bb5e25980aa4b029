#!/usr/bin/env bash
# Lists anew what Angular's command writes into the test of each component and service, scanner/syntax/boilerplate/scaffolds.txt, from the
# templates that its makers publish on npm: docs/bench/scaffolds.sh. A line of the list is a line of a template; _ stands for what the command fills in.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for v in 8.3.29 9.1.15 12.2.18 15.2.11 17.3.17 19.0.0; do
  mkdir "$dir/$v"
  (cd "$dir/$v" && npm pack --silent "@schematics/angular@$v" >/dev/null && tar -xzf ./*.tgz)
done
python3 - "$dir" >"$root/scanner/syntax/boilerplate/scaffolds.txt" <<'END'
import glob, re, sys
lines = set()
for f in glob.glob(sys.argv[1] + "/*/package/*/**/*.spec.ts.template", recursive=True):
    text = re.sub(r"<%[-=](?:[^%]|%(?!>))*%>", "\x01", open(f).read())
    text = re.sub(r"<%(?:[^%]|%(?!>))*%>", "\n", text)
    for line in text.splitlines():
        tokens = re.findall(r"'(?:[^'\n])*'|[\w$\x01]+|=>|\S", line)
        tokens = ["_" if "\x01" in t or t[0] == "'" else t for t in tokens]
        if tokens and tokens[0] not in ("import", "from", "//", "/"):
            lines.add(" ".join(tokens))
print("\n".join(sorted(lines)))
END
