#!/usr/bin/env python3
"""Measures how many copies that say so are found: functions whose comment, or the head of whose file, names Go's standard library.

    docs/eval/stated.py REPOS_DIR WORK

REPOS_DIR/OWNER+NAME/repo are bare clones. A function is paired with the function of the same name in GOROOT with which most tokens
agree (twice the longest common blocks to the tokens of both, 0.5 at least; 50 to 1,500 tokens). The files are scanned, each in a folder of its own, against a
baseline of GOROOT. Found: findings cover half of the function's lines. Attributed: each finding that overlaps with it says so.
WORK/pairs.tsv has the pairs with what became of each. Prints a Markdown table by agreement; below 0.7 many pairs share only a name.
"""
import collections, difflib, glob, json, os, re, shutil, subprocess, sys

SAYS = re.compile(r'(?i)(copied|copy[- ]?pasted|adapted|taken|borrowed|lifted|stolen|ported|cribbed|forked|derived|inlined|based on|copy of|version of)')
NAMES = re.compile(r"(?i)(golang/go|go/src|std ?lib|standard library|go source|\bgo's |\bgolang\b|\bnet/(http|url|textproto|mail)|encoding/\w+|crypto/\w+|text/template"
                   r"|html/template|\bgo/(ast|format|build|parser|printer)|\bstrconv|\bbufio|path/filepath|archive/|compress/|mime/|\bos/exec|math/\w+)")
FUNC = re.compile(r'^func (?:\([^)]*\) )?(\w+)', re.M)
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|`[^`]*`|\'(?:\\.|[^\'\\])+\'|//[^\n]*|/\*.*?\*/|\w+|[^\w\s]', re.S)


def tokens(text):
    return [t for t in TOKEN.findall(text) if t[:2] not in ('//', '/*')]


def functions(text):
    """Yields name, text, comment above, first and last line of each function."""
    for m in FUNC.finditer(text):
        end = text.find('\n}', m.start())
        if end < 0:
            continue
        above = []
        for line in reversed(text[:m.start()].split('\n')[:-1]):
            if not line.startswith('//'):
                break
            above.append(line)
        yield m.group(1), text[m.start():end + 2], ' '.join(above), text.count('\n', 0, m.start()) + 1, text.count('\n', 0, end) + 2


def stated(repos):
    """Yields repository, path, file and function for each function that is said to be from Go's standard library."""
    files = set()
    for repo in sorted(glob.glob(repos + '/*/repo')):
        git, name = ['git', '--git-dir', repo], repo.split('/')[-2]
        if name.startswith('golang+') or name.startswith('tinygo'):
            continue  # these are the library
        for path in subprocess.run(git + ['grep', '-lIiE', '(copied|past|adapted|taken|borrowed|lifted|stolen|ported|cribbed|forked|derived|inlined|based|copy|version)', 'HEAD', '--', '*.go'],
                                   capture_output=True, text=True).stdout.split('\n'):
            path = path[len('HEAD:'):]
            if not path or re.search(r'(^|/)(vendor|third_party)/golang\.org/', path):
                continue
            text = subprocess.run(git + ['show', 'HEAD:' + path], capture_output=True).stdout.decode('utf8', 'replace')
            if text in files:
                continue
            files.add(text)
            head = text[:max(text.find('\npackage '), 0)]
            whole = SAYS.search(head) and NAMES.search(head)
            for f in functions(text):
                if whole or SAYS.search(f[2]) and NAMES.search(f[2]):
                    yield name, path, text, f


def library(root):
    index = collections.defaultdict(list)
    for folder, folders, names in os.walk(root + '/src'):
        folders[:] = sorted(d for d in folders if d != 'testdata')
        for path in sorted(os.path.join(folder, n) for n in names if n.endswith('.go')):
            for name, text, _, _, _ in functions(open(path, errors='replace').read()):
                index[name.lower()].append((path[len(root) + 5:], tokens(text)))
    return index


def pairs(repos, index):
    seen = set()
    for repo, path, text, (name, body, _, first, last) in stated(repos):
        here = tokens(body)
        if not 50 <= len(here) <= 1500 or tuple(here) in seen:
            continue
        seen.add(tuple(here))
        best = (0, '')
        for there, other in index[name.lower()][:60]:
            m = difflib.SequenceMatcher(None, here, other, autojunk=False)
            if m.quick_ratio() >= .5:
                best = max(best, (m.ratio(), there))
        if best[0] >= .5:
            yield repo, path, text, name, first, last, len(here), best


def main(repos, work):
    here = os.path.dirname(os.path.abspath(__file__))
    program, root = work + '/git-provenance', subprocess.run(['go', 'env', 'GOROOT'], capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(['go', 'build', '-o', program, './cmd/git-provenance'], cwd=here + '/../..', check=True)
    for d in ('src', 'base'):
        shutil.rmtree(work + '/' + d, ignore_errors=True)
    subprocess.run([program, 'baseline', 'add', '--baseline', work + '/base', root], check=True, stdout=subprocess.DEVNULL)
    found = list(pairs(repos, library(root)))
    for i, (_, path, text, *_) in enumerate(found):
        os.makedirs('%s/src/%04d' % (work, i))
        open('%s/src/%04d/%s' % (work, i, os.path.basename(path)), 'w').write(text)
    env = dict(os.environ, GIT_CEILING_DIRECTORIES=work)
    out = subprocess.run([program, 'scan', '--baseline', work + '/base', '--format', 'json', '.'], cwd=work + '/src', env=env, capture_output=True)
    findings = collections.defaultdict(list)
    for f in json.loads(out.stdout)['findings']:
        findings[f['path'][:4]].append(f)
    rows = collections.defaultdict(lambda: [0, 0, 0])
    with open(work + '/pairs.tsv', 'w') as tsv:
        for i, (repo, path, _, name, first, last, n, (ratio, there)) in enumerate(found):
            over = [f for f in findings['%04d' % i] if f['startLine'] <= last and f['endLine'] >= first]
            lines = set().union(*(range(max(f['startLine'], first), min(f['endLine'], last) + 1) for f in over))
            half = 2 * len(lines) >= last - first + 1
            says = half and all(f['verdict'] == 'attributed' for f in over)
            row = rows[min(int(ratio * 10), 9)]
            row[0] += 1; row[1] += half; row[2] += says
            print(repo, path, name, n, '%.2f' % ratio, there, 'found' if half else 'missed', *sorted({f['verdict'] for f in over}), sep='\t', file=tsv)
    print('| tokens agree | functions | found | attributed |\n|---|--:|--:|--:|')
    for k in sorted(rows, reverse=True):
        print('| %.1f to %.1f | %d | %d | %d |' % (k / 10, k / 10 + .1, *rows[k]))


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    os.makedirs(sys.argv[2], exist_ok=True)
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
