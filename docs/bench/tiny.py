#!/usr/bin/env python3
"""Writes a collection of tiny Go files: tiny.py KIND FILES DIR; then
    /usr/bin/time git-provenance similar --all DIR/*.tar --format json --output pairs.json

KIND: equal     one content
      copies    64 files of each content, the most whose pairs are all listed
      halves    a content in each of 64 files, and an edited one in 64 others
      names     structs of two or three fields, each with names of its own
      shapes    structs of two to five fields of four types: few sequences of tokens, names of their own
      distinct  functions that have nothing in common but the language

The files lie in archives of 200,000, which an archive may have. The names of files, and their order, follow no order of contents.
"""
import io, random, sys, tarfile

kind, files, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
dice = random.Random(1)
TYPES = ['int', 'string', '[]byte', 'map[string]bool']


def word():
    return ''.join(dice.choice('abcdefghijklmnopqrstuvwxyz') for _ in range(7))


def struct(fields, methods):
    name = word().title()
    text = f'package tiny\n\ntype {name} struct {{\n' + ''.join(f'\t{f} {t}\n' for f, t in fields) + '}\n'
    for f, t in fields if methods else ():
        text += f'\nfunc (x *{name}) {f.title()}() {t} {{ return x.{f} }}\n'
    return text


def function():
    text = f'package tiny\n\nfunc {word()}(a, b int) int {{\n'
    for _ in range(8):
        line = f'\tb {dice.choice(["+", "-", "*", "|", "&", "^"])}= '
        for _ in range(dice.randint(1, 3)):
            line += dice.choice(['a', 'b', str(dice.randint(2, 999)), f'{word()}(a)', '(a - b)', 'a[b]', 'a.b', '-a', '!b'])
            line += dice.choice([' + ', ' - ', ' * ', ' / ', ' % ', ' << ', ' >> ', ' &^ '])
        text += line + 'a\n'
    return text + '\treturn b\n}\n'


def content(n):
    if kind == 'equal':
        return n > 0 and last or function()
    if kind == 'copies':
        return n % 64 and last or function()
    if kind == 'halves':
        if n % 64:
            return last
        return last.replace('return b', 'return b + 1 + a*a') if n // 64 % 2 else function()
    if kind == 'names':
        return struct([(word(), 'int') for _ in range(dice.randint(2, 3))], True)
    if kind == 'shapes':
        return struct([(word(), dice.choice(TYPES)) for _ in range(dice.randint(2, 5))], True)
    return function()


last = ''
for first in range(0, files, 200_000):
    with tarfile.open(f'{out}/{first // 200_000}.tar', 'w') as t:
        for n in range(first, min(first + 200_000, files)):
            last = content(n)
            data = last.encode()
            info = tarfile.TarInfo(f'{n % 1000:03}/{n:07}.go')
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
