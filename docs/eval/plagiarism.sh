#!/usr/bin/env bash
# Measures how well tools rank pairs of programs of which one is a disguised copy.
#
#   plagiarism.sh WORK REPOS [PUBLIC]
#
# REPOS is a directory of checkouts of several owners who solve the same exercises, such
# as TheAlgorithms, AllAlgorithms, iiitv/algos, williamfiset/Algorithms and OpenGenus/cosmos.
# Programs that two of them have are disguised at six levels, in Java, C, C++ and Python;
# half of the exercises (-a) are to fit, the others (-b) to judge. PUBLIC is a directory with sets that others labelled:
#
#   levels/case-01 …              IR-Plag-Dataset of oscarkarnalim/sourcecodeplagiarismdataset
#   homework1, homework2          hjc851/SourceCodePlagiarismDetectionDataset, …/Dataset2-HowToDetectAdvancedSourceCodePlagiarism
#   progpedia/ACCEPTED, plagiarism.csv   from jplag/JPlag: endtoend-testing/src/test/resources/data/progpedia.zip
#   contests/labels.csv, version_1       ConPlag: conplag_version_2/versions
#   students/ground-truth-static-anon.txt, src   Ljubovic's programming homework, the course A2016: Data of vfrunza/GPLAG-Plagerism-Detection
#   reused/SOCO14-java.qrel, java, SOCO14-c.qrel, c   training data of SOCO 2014 (FIRE): fire14-source-code-training-dataset
#   class/EXERCISE/STUDENT.c, .py   made by class.sh from docs/eval/class.tsv: programs of one course, each copied at one level
#   class-java/EXERCISE/STUDENT.java   the same of another course, from docs/eval/class-java.tsv
#   hidden/Progpedia19, Progpedia56, z5z1, z5z5           datasets of tsaglam/EMSE25-SM, commit bbfca9a
#
# Other tools run at their defaults where they are:
#   SIM     a directory with sim_java, sim_c, sim_c++ (Debian: similarity-tester)
#   DOLOS   a directory in which "npm install @dodona/dolos-lib" was run
#   JPLAG   a class path with JPlag 4 or later (Java only)
#   COMPARE50   a checkout of cs50/compare50; PYTHON (default: python3) has its libraries (Debian: python3-attr
#           python3-intervaltree python3-numpy python3-pygments python3-jinja2 python3-termcolor python3-tqdm)
#
# Of homework2, sim compares the labelled pairs only: all take it hours. A pair's score does not depend on the others.
#
# Of contests, students and class each exercise is a collection of its own. Not every copy among the students, in SOCO and in the class may be
# labelled: there recall is that above 99 in 100 of the other pairs.
#
# SETS is a pattern of the sets to measure, such as java-b. The script prints, for each set and tool, AUC / recall above every negative: of all
# levels, then of each. Sets and scores stay in WORK; "eval plagiarism differ" tells from them whether a difference may be chance.
set -euo pipefail
export LC_ALL=C
work=${1:?usage: plagiarism.sh WORK REPOS [PUBLIC]} repos=${2:?usage: plagiarism.sh WORK REPOS [PUBLIC]} public=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work"; work=$(cd "$work" && pwd); repos=$(cd "$repos" && pwd)
[ -z "$public" ] || public=$(cd "$public" && pwd)
cd "$here/../.."
go build -o "$work/git-provenance" ./cmd/git-provenance
go build -o "$work/eval" ./scanner/eval
rm -rf "$work/sets" "$work/scores"; mkdir -p "$work/sets" "$work/scores"
"$work/eval" plagiarism make "$work/sets" "$repos"/*/ >&2
if [ -n "$public" ]; then
  [ ! -d "$public/levels" ] || { "$work/eval" plagiarism public "$work/sets/levels-a" "$public/levels" case-01,case-02,case-03,case-04
    "$work/eval" plagiarism public "$work/sets/levels-b" "$public/levels" case-05,case-06,case-07; }
  [ ! -d "$public/contests" ] || { "$work/eval" plagiarism public "$work/sets/contests-a" "$public/contests" 1,3,5,7,9,11,13,15,17,19,21
    "$work/eval" plagiarism public "$work/sets/contests-b" "$public/contests" 2,4,6,8,10,12,14,16,18,20; }
  [ ! -d "$public/students" ] || { "$work/eval" plagiarism public "$work/sets/students-a" "$public/students" "$(printf 'A2016/%s,' Z1/Z1 Z1/Z3 Z2/Z1 Z2/Z3 Z3/Z1 Z3/Z3 Z4/Z1 Z4/Z3 Z5/Z1 Z5/Z3)"
    "$work/eval" plagiarism public "$work/sets/students-b" "$public/students" "$(printf 'A2016/%s,' Z1/Z2 Z1/Z4 Z2/Z2 Z2/Z4 Z3/Z2 Z4/Z2 Z4/Z4 Z5/Z2)"; }
  [ ! -d "$public/reused" ] || for l in java c; do "$work/eval" plagiarism public "$work/sets/reused-$l" "$public/reused" "$l"; done
  for s in class class-java; do [ ! -d "$public/$s" ] || "$work/eval" plagiarism class "$work/sets" "$public/$s" >&2; done
  [ ! -d "$public/hidden" ] || for s in java-a=Progpedia19 java-b=Progpedia56 cpp-a=z5z5 cpp-b=z5z1; do
    "$work/eval" plagiarism public "$work/sets/hidden-${s%=*}" "$public/hidden/${s#*=}"
  done
  for s in homework1 homework2 progpedia; do
    [ ! -d "$public/$s" ] || "$work/eval" plagiarism public "$work/sets/$s" "$public/$s"
  done
fi

# ours compares all units of a set, or, of a set of exercises, those of each.
ours() { # set
  local e
  [ -f "$work/sets/$1/exercises" ] || { units "$work/sets/$1/units"; return; }
  while read -r e; do
    rm -rf "$work/exercise"; mkdir "$work/exercise"
    cp -r "$work/sets/$1/units/$e"-* "$work/exercise"
    units "$work/exercise"
  done <"$work/sets/$1/exercises"
  rm -rf "$work/exercise"
}

units() { # directory
  "$work/git-provenance" similar --all "$1" --units folders --min-share 0 --format csv 2>/dev/null </dev/null |
    awk -F, -v OFS='\t' 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
      {sub(".*/", "", $1); sub(".*/", "", $2); s = $(at["shareA"]) > $(at["shareB"]) ? $(at["shareA"]) : $(at["shareB"]); print $1, $2, "similarity" in at ? $(at["similarity"]) : s}'
}

joined() { # set extension: each unit as one file
  local u f
  rm -rf "$work/joined"; mkdir "$work/joined"
  for u in "$work/sets/$1/units"/*/; do
    f=$work/joined/$(basename "$u").$2
    find "$u" -type f | sort | while read -r x; do cat "$x"; echo; done >"$f"
  done
}

sim() { # program extension set
  (cd "$work/joined" && if [ "$3" = homework2 ]; then cut -f1,2 "$work/sets/$3/pairs.tsv" | while read -r a b; do "$SIM/$1" -p -e -t 1 "$a.$2" "$b.$2" 2>/dev/null; done
    else "$SIM/$1" -p -e -t 1 *."$2" 2>/dev/null; fi) |
    sed -n "s/^\(.*\)\.$2 consists for \([0-9]*\) % of \(.*\)\.$2 material.*/\1\t\3\t\2/p" |
    awk -F'\t' -v OFS='\t' '{k = $1 < $2 ? $1 OFS $2 : $2 OFS $1; if ($3 > m[k]) m[k] = $3} END {for (k in m) print k, m[k]}'
}

dolos() { # language set
  (cd "$DOLOS" && node --input-type=module -e 'import {Dolos} from "@dodona/dolos-lib"; import fs from "fs"; import path from "path"
    const [lang, dir, pairs] = process.argv.slice(-3)
    const r = await new Dolos({language: lang}).analyzePaths(fs.readdirSync(dir).map(f => path.join(dir, f)))
    const of = new Map(r.files.map(f => [path.parse(f.path).name, f]))
    for (const l of fs.readFileSync(pairs, "utf8").trim().split("\n")) {
      const [a, b] = l.split("\t"), [x, y] = [of.get(a), of.get(b)]
      if (x && y) fs.writeSync(1, [a, b, r.getPair(x, y).similarity].join("\t") + "\n")
    }' "$1" "$work/joined" "$work/sets/$2/pairs.tsv")
}

jplag() { # set
  cat >"$work/Run.java" <<'JAVA'
import de.jplag.*; import de.jplag.options.*; import java.io.*; import java.util.*;
public class Run { public static void main(String[] a) throws Exception {
  JPlagOptions o = new JPlagOptions(new de.jplag.java.Language(), Set.of(new File(a[0])), Set.of()).withMaximumNumberOfComparisons(0);
  for (JPlagComparison c : new JPlag(o).run().getAllComparisons())
    System.out.println(c.firstSubmission().getName() + "\t" + c.secondSubmission().getName() + "\t" + c.similarity());
} }
JAVA
  java --enable-preview --source "$(java -version 2>&1 | sed -n 's/^openjdk version "\([0-9]*\).*/\1/p')" -cp "$JPLAG" "$work/Run.java" "$work/sets/$1/units" 2>/dev/null
}

compare50() { # set: the ranking of the first pass, as the command calls it; of each exercise by itself
  cat >"$work/compare50.py" <<'PYTHON'
import os, pathlib, sys
sys.path.insert(0, os.environ["COMPARE50"])
from compare50 import _api, _data, passes
_api.Executor = _api.FauxExecutor
def readable(p):
    try: return p.is_file() and p.stat().st_size <= 1 << 20 and p.read_text(encoding="utf8") is not None
    except UnicodeDecodeError: return False
def rank(units):
    subs = []
    for d in units:
        files = sorted(str(p.relative_to(d)) for p in d.rglob("*") if readable(p))
        if files: subs.append(_data.Submission(d, files, preprocessor=_data.Preprocessor(passes.structure.preprocessors)))
    for s in passes.structure.comparator.score(subs, [], set()): print(s.sub_a.path.name, s.sub_b.path.name, s.score, sep="\t")
top = pathlib.Path(sys.argv[1]); units = sorted((top / "units").iterdir())
of = (top / "exercises").read_text().split() if (top / "exercises").exists() else [None]
for e in of: rank([u for u in units if e is None or u.name.startswith(e + "-")])
PYTHON
  PYTHONHASHSEED=50 "${PYTHON:-python3}" "$work/compare50.py" "$work/sets/$1"
}

echo "| set | tool | all levels | 1 | 2 | 3 | 4 | 5 | 6 |"
echo "|---|---|---|---|---|---|---|---|---|"
for dir in "$work/sets"/${SETS:-*}/; do
  s=$(basename "$dir") l=java e=java p=sim_java
  case $s in c-? | class-c-? | students-? | reused-c) l=c e=c p=sim_c ;; cpp-? | hidden-cpp-?) l=cpp e=cpp p=sim_c++ ;; python-? | class-python-?) l=python e=py p= ;; esac
  tools=(git-provenance="$work/scores/$s.ours")
  ours "$s" >"$work/scores/$s.ours"
  joined "$s" "$e"
  [ -z "${SIM:-}" ] || [ -z "$p" ] || { sim "$p" "$e" "$s" >"$work/scores/$s.sim"; tools+=(sim="$work/scores/$s.sim"); }
  [ -z "${DOLOS:-}" ] || { dolos "$l" "$s" >"$work/scores/$s.dolos" 2>/dev/null && tools+=(Dolos="$work/scores/$s.dolos") || echo "plagiarism.sh: Dolos failed on $s" >&2; }
  [ -z "${JPLAG:-}" ] || [ "$l" != java ] || { jplag "$s" >"$work/scores/$s.jplag" && tools+=(JPlag="$work/scores/$s.jplag") || echo "plagiarism.sh: JPlag failed on $s" >&2; }
  [ -z "${COMPARE50:-}" ] || { compare50 "$s" >"$work/scores/$s.compare50" && tools+=(compare50="$work/scores/$s.compare50") || echo "plagiarism.sh: compare50 failed on $s" >&2; }
  "$work/eval" plagiarism measure "$dir" "${tools[@]}"
done
rm -rf "$work/joined"
