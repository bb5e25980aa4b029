package similar

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"golang.org/x/text/unicode/norm"
)

// Anonymous replaces the names of units by numbers, as Rename does. Units are numbered in the order of the pairs, since that of their
// names would tell them to anybody who has the list of the class. Units without a pair follow, the longest first.
func (r *Result) Anonymous() {
	number := make(map[string]int)
	next := func(name string) {
		if number[name] == 0 {
			number[name] = len(number) + 1
		}
	}
	for _, p := range r.Pairs {
		next(p.A)
		next(p.B)
	}
	rest := slices.Clone(r.Units)
	slices.SortStableFunc(rest, func(a, b Unit) int { return cmp.Compare(b.Tokens, a.Tokens) })
	for _, u := range rest {
		next(u.Name)
	}
	r.Rename(func(name string) string { return fmt.Sprintf("unit %03d", number[name]) })
}

// hiddenName stands for the path of a file that belongs to no unit. It may have the name of a person.
const hiddenName = "name hidden"

// Rename replaces the names of units, also where a file has its unit's name, and the paths of files that belong to no unit. In other
// paths, the words of the unit's name are hidden; in those of a pair, the words of both. All lists but that of the pairs, and the sides of a
// pair, get the order of the new names.
func (r *Result) Rename(other func(name string) string) {
	hide := newHider(r.Units)
	names := make(map[string]string)
	for i := range r.Units {
		n := other(r.Units[i].Name)
		names[r.Units[i].Name], r.Units[i].Name = n, n
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		hidden := func(unit, file string) string { return hide.in(hide.in(shownAs(unit, file, names), p.A), p.B) }
		for j := range p.Files {
			f := &p.Files[j]
			f.A.Path, f.B.Path = hidden(p.A, f.A.Path), hidden(p.B, f.B.Path)
		}
		for j := range p.Beside {
			b := &p.Beside[j]
			b.A, b.B = hidden(p.A, b.A), hidden(p.B, b.B)
		}
		if p.A, p.B = names[p.A], names[p.B]; r.Query == "" && p.A > p.B {
			*p = p.swapped()
		}
	}
	for _, g := range r.Groups {
		for i, u := range g.Units {
			g.Units[i] = names[u]
		}
		slices.Sort(g.Units)
	}
	for _, c := range r.Common {
		for i := range c.Code {
			c.Code[i].Path = hide.in(shownAs(c.Units[0], c.Code[i].Path, names), c.Units[0])
		}
		for i, u := range c.Units {
			c.Units[i] = names[u]
		}
		slices.Sort(c.Units[1:]) // the code is that of the first
	}
	for i := range r.Ledger {
		e := &r.Ledger[i]
		unit, below := unitOf(e.Path, names)
		if unit == "" {
			e.Path = hiddenName
			continue
		}
		e.Detail = hide.in(strings.ReplaceAll(e.Detail, unit, names[unit]), unit)
		if e.Path = names[unit]; below != "" && below != path.Base(unit) {
			e.Path += "/" + hide.in(shownAs(unit, below, names), unit)
		}
	}
	r.Query = names[r.Query]
	slices.SortFunc(r.Units, func(a, b Unit) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(r.Ledger, func(a, b finding.Entry) int { return cmp.Compare(a.Path, b.Path) })
}

// swapped exchanges the sides of two units. Alone stays as it was counted: no more than a few tokens tell the sides apart.
func (p UnitPair) swapped() UnitPair {
	p.A, p.B, p.ShareA, p.ShareB, p.SharedA, p.SharedB, p.a, p.b = p.B, p.A, p.ShareB, p.ShareA, p.SharedB, p.SharedA, p.b, p.a
	for i, f := range p.Files {
		f = f.swapped()
		for k, m := range f.Matches {
			f.Matches[k] = m.swapped()
		}
		p.Files[i] = f
	}
	for i, b := range p.Beside {
		p.Beside[i] = Beside{A: b.B, B: b.A, Text: finding.Sides{Target: b.Text.Origin, Origin: b.Text.Target}}
	}
	return p
}

// shownAs renames the path of a file in a unit. A unit that is one file has a file of its name.
func shownAs(unit, file string, names map[string]string) string {
	for _, was := range []string{unit, path.Base(unit)} {
		if rest, ok := strings.CutPrefix(file, was); ok && (rest == "" || rest[0] == '/') {
			return names[unit] + rest
		}
	}
	return file
}

// unitOf returns the unit that a path of the ledger begins with, and the rest of the path.
func unitOf(file string, names map[string]string) (unit, below string) {
	for at := len(file); at > 0; at = strings.LastIndexByte(file[:at], '/') {
		if _, ok := names[file[:at]]; ok {
			return file[:at], strings.TrimPrefix(file[at:], "/")
		}
	}
	return "", ""
}

// hiddenWord stands for a word of a person's name in the name of a file.
const hiddenWord = "[name]"

// Bounds of the words that are hidden, in characters: shorter words are hidden nowhere, or only where no letter stands beside them.
const (
	shortestWord = 2
	insideWord   = 4
)

// hider hides the words of the names of units, which tell the person, in the names of files: Anna Smith's smith-hw1.zip.
type hider map[string][][]rune // by unit

// newHider reads the names of units. A word that more than half of the units have, such as the name of the task, tells no person.
func newHider(units []Unit) hider {
	words, have := make(map[string][]string), make(map[string]int)
	for _, u := range units {
		seen := make(map[string]bool)
		for _, w := range strings.FieldsFunc(string(folded(withoutSuffix(path.Base(u.Name)))), func(c rune) bool { return !letter(c) }) {
			if utf8.RuneCountInString(w) >= shortestWord && !seen[w] {
				seen[w] = true
				words[u.Name] = append(words[u.Name], w)
				have[w]++
			}
		}
	}
	h := make(hider)
	for unit, ws := range words {
		for _, w := range ws {
			if 2*have[w] <= max(2, len(units)) {
				h[unit] = append(h[unit], []rune(w))
			}
		}
	}
	return h
}

// packed are the ends of names of archives and documents.
var packed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(\.(zip|jar|rar|7z|tar|tgz|gz|xz|bz2|txt|pdf|docx?|odt))+$`)
})

// withoutSuffix returns the name of a unit that is a single file without the end that tells what it is.
func withoutSuffix(name string) string {
	short := packed().ReplaceAllString(name, "")
	if ext := path.Ext(short); ext != "" && lang.Detect("x"+ext, []byte("x")).Language != lang.ByName("text") {
		short = strings.TrimSuffix(short, ext)
	}
	return short
}

// folded returns a composed text in small letters without accents, a character for each of its characters.
func folded(text string) []rune {
	out := []rune(norm.NFC.String(text))
	for i, c := range out {
		if d := []rune(norm.NFD.String(string(c))); len(d) > 0 {
			c = d[0]
		}
		out[i] = unicode.ToLower(c)
	}
	return out
}

func letter(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) }

// in hides the words of a unit's name in the name of a file, and in what is said of one.
func (h hider) in(text, unit string) string {
	if len(h[unit]) == 0 || text == "" {
		return text
	}
	from, fold := []rune(norm.NFC.String(text)), folded(text) // macOS writes ü as two characters
	var b strings.Builder
	for at := 0; at < len(from); {
		n := 0
		for _, w := range h[unit] {
			if len(w) > n && standsAt(fold, at, w) {
				n = len(w)
			}
		}
		if n == 0 {
			b.WriteRune(from[at])
			at++
			continue
		}
		b.WriteString(hiddenWord)
		at += n
	}
	return b.String()
}

// standsAt reports whether a text has a word at a position. A short word has no letters beside it: Li is not in List.java.
func standsAt(text []rune, at int, word []rune) bool {
	end := at + len(word)
	if end > len(text) || string(text[at:end]) != string(word) {
		return false
	}
	return len(word) >= insideWord || (at == 0 || !letter(text[at-1])) && (end == len(text) || !letter(text[end]))
}
