package html

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/words"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

//go:embed page/pairs.tmpl
var pairsTemplate string

//go:embed page/pairs.js
var pairsScript string

// pairsPage is the data of the page of pairs. Its script filters the list; without the script the page shows the same.
type pairsPage struct {
	Policy  string
	Style   template.CSS
	Script  template.JS
	Alike   bool         // similarities are known
	ByAlike bool         // and order the pairs
	Alone   bool         // the share that no third unit has is known
	Spread  []pairsTenth // how many pairs are how similar
	Ranked  string       // how many these are
	Sets    []pairsSet
	Exact   []pairsExact
	Head    string
	Promise string
	Pairs   []pairsRow
	Groups  []pairsGroup
	Ledger  []pairsReason
	Unseen  int
	NoCode  string       // how many units have no code
	Empty   []pairsEmpty // these units
	Tool    string
}

// pairsEmpty is a unit without code, and why it has none.
type pairsEmpty struct{ Name, Why string }

type pairsRow struct {
	N              int
	Before, Next   int // the neighbours in the list; 0 for none
	A, B           string
	ShareA, ShareB string
	Alike          string // empty if similarity was not asked for
	Rank           string // the value to filter by, in percent
	Numbers        []pairsNumber
	Words, More    string
	Files          []pairsFile
}

// Sheet reports whether the page has source of the pair. On paper, such a pair has pages of its own, which can be given away.
func (r pairsRow) Sheet() bool {
	return slices.ContainsFunc(r.Files, func(f pairsFile) bool {
		return slices.ContainsFunc(f.Matches, func(m pairsMatch) bool { return m.Source != nil })
	})
}

// pairsNumber is a cell of the list: its text, and the number that the list is sorted by.
type pairsNumber struct{ Text, Value string }

// numbers returns the cells in the order of the columns.
func numbers(p *similar.UnitPair, alike, alone bool) (out []pairsNumber) {
	add := func(text string, value float64) {
		out = append(out, pairsNumber{text, strconv.FormatFloat(value, 'f', -1, 64)})
	}
	percent := func(x float64) {
		if text := words.Percent(x); x > 0 {
			add(text, x)
		} else {
			add("none", 0)
		}
	}
	if alike {
		percent(p.Similarity)
	}
	percent(p.ShareA)
	percent(p.ShareB)
	add(words.Number(p.SharedA), float64(p.SharedA))
	switch {
	case alone && p.Alone != nil:
		add(words.Number(*p.Alone), float64(*p.Alone))
	case alone:
		add("", -1)
	}
	return out
}

// pairsTenth is how many pairs have a similarity of a range. Height is that of a bar, in percent.
type pairsTenth struct {
	Range, Count string
	Height       int
}

type pairsFile struct {
	A, B, Words string
	Open        bool
	Matches     []pairsMatch
}

// Down is where the bar begins.
func (t pairsTenth) Down() int { return 100 - t.Height }

// pairsMatch is a match, or two files of a pair without one.
type pairsMatch struct {
	Title  string
	Source *source
	Rest   string // says that the source is cut
}

type pairsGroup struct {
	Size, Least string
	Units       []string
	Pairs       []pairsRow // the first of those that are listed
	More        string     // how many others there are
	Open        bool
}

// groupPairs bounds the pairs that a group names.
const groupPairs = 40

// openGroup is the size up to which the names of a group are shown unfolded.
const openGroup = 20

type pairsSet struct {
	Size, Tokens string
	Units, Code  []string
}

// pairsExact is a list of exact matches of two units.
type pairsExact struct {
	ID, Title, Note string
	Rows            []exactRow
}

type exactRow struct{ Tokens, A, B string }

type pairsReason struct {
	Count, Reason string
	Lines         []string
}

var parsedPairs = sync.OnceValues(func() (*template.Template, error) {
	return template.New("pairs").Funcs(template.FuncMap{"hue": func(n int) int { return (n - 1) % 8 }}).Parse(pairsTemplate)
})

// Pairs writes the pairs as one page without other files. Source text that was kept is shown side by side.
func Pairs(w io.Writer, r *similar.Result) error {
	t, err := parsedPairs()
	if err != nil {
		return fmt.Errorf("write html: %w", err)
	}
	page, err := newPairsPage(r)
	if err != nil {
		return fmt.Errorf("write html: %w", err)
	}
	return execute(w, t, page)
}

// shownIn returns the directory or archive that all units of a result lie in, with its slash, and how a unit is named on the page:
// without it.
func shownIn(r *similar.Result) (in string, name func(string) string) {
	for i, u := range r.Units {
		dir := u.Name[:strings.LastIndexByte(u.Name, '/')+1]
		if i == 0 {
			in = dir
		}
		for !strings.HasPrefix(dir, in) {
			in = in[:strings.LastIndexByte(in[:len(in)-1], '/')+1]
		}
	}
	return in, func(u string) string { return escape.Line(strings.TrimPrefix(u, in)) }
}

func newPairsPage(r *similar.Result) (*pairsPage, error) {
	in, name := shownIn(r)
	head := fmt.Sprintf("%s of %s", words.Plural(len(r.Pairs), "pair"), words.Plural(len(r.Units), "unit"))
	if in != "" {
		head += " in " + escape.Line(strings.TrimSuffix(in, "/"))
	}
	p := &pairsPage{
		Policy: fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'", sourceHash(pairsScript), sourceHash(pageStyle)),
		Script: template.JS(pairsScript), Alike: r.Parameters.Sort == similar.BySimilarity, ByAlike: r.Order() == similar.BySimilarity, Sets: pairsSets(r.Common, name), Exact: exactLists(r),
		Style: template.CSS(pageStyle), Tool: escape.Line(r.Tool.Version), Unseen: len(r.Ledger),
		Head:    head + ".",
		Promise: fmt.Sprintf("Every match of %s and more was verified, token for token.", words.Plural(r.Parameters.MinTokens, "token")),
		Ledger:  pairsReasons(r.Ledger),
	}
	p.Alone = slices.ContainsFunc(r.Pairs, func(u similar.UnitPair) bool { return u.Alone != nil })
	p.spread(r.Distribution)
	err := r.Each(func(u *similar.UnitPair) error {
		row := newPairsRow(len(p.Pairs)+1, u, r.Parameters.MinTokens)
		row.A, row.B = name(u.A), name(u.B)
		row.Numbers = numbers(u, p.Alike, p.Alone)
		p.Pairs = append(p.Pairs, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, u := range r.Empty() {
		p.Empty = append(p.Empty, pairsEmpty{name(u.Name), words.Why(u)})
	}
	if p.Empty != nil {
		p.NoCode = words.NoCode(len(p.Empty), len(r.Units)) + ":"
	}
	for i := range p.Pairs {
		p.Pairs[i].Before = i
		if i+1 < len(p.Pairs) {
			p.Pairs[i].Next = i + 2
		}
	}
	within := pairsWithin(r, p.Pairs)
	for i, g := range r.Groups {
		out := pairsGroup{Size: words.Plural(len(g.Units), "unit"), Least: "each " + words.Linked(g.Least, r.Order()), Open: len(g.Units) <= openGroup}
		for _, u := range g.Units {
			out.Units = append(out.Units, name(u))
		}
		out.Pairs = within[i]
		if n := len(out.Pairs) - groupPairs; n > 0 {
			out.Pairs, out.More = out.Pairs[:groupPairs], fmt.Sprintf("%s more in the list", words.Plural(n, "pair"))
		}
		p.Groups = append(p.Groups, out)
	}
	return p, nil
}

// spread shows a distribution. A pair or more has a bar that can be seen.
func (p *pairsPage) spread(pairs []int) {
	if len(pairs) == 0 {
		return
	}
	sum, most := 0, max(1, slices.Max(pairs))
	for i, n := range pairs {
		sum += n
		p.Spread = append(p.Spread, pairsTenth{words.PercentRange(i), words.Number(n), (100*min(n, most) + most - 1) / most})
	}
	p.Ranked = words.Plural(sum, "compared pair")
}

// pairsWithin returns, for each group, the listed pairs of which it has both sides.
func pairsWithin(r *similar.Result, rows []pairsRow) [][]pairsRow {
	group := make(map[string]int)
	for i, g := range r.Groups {
		for _, u := range g.Units {
			group[u] = i + 1
		}
	}
	out := make([][]pairsRow, len(r.Groups))
	for i, p := range r.Pairs {
		if g := group[p.A]; g > 0 && g == group[p.B] {
			out[g-1] = append(out[g-1], rows[i])
		}
	}
	return out
}

func newPairsRow(n int, p *similar.UnitPair, least int) pairsRow {
	row := pairsRow{N: n, ShareA: words.Percent(p.ShareA), ShareB: words.Percent(p.ShareB)}
	rank := p.Share()
	if p.Similarity > 0 {
		row.Alike, rank = words.Percent(p.Similarity), p.Similarity
	}
	row.Rank = strconv.FormatFloat(100*rank, 'f', 1, 64)
	row.Words = fmt.Sprintf("%s of A and %s of B are shared, %s of A%s.", row.ShareA, row.ShareB, words.Plural(p.SharedA, "token"), words.Alone(p))
	switch {
	case p.Equal:
		row.Words = fmt.Sprintf("Same content, %s%s.", words.Plural(p.SharedA, "token"), words.Alone(p))
	case p.SharedA+p.SharedB == 0:
		row.Words = words.UpperFirst(words.NoRun(least)) + "; structure and values are alike."
	}
	if row.Alike != "" {
		row.Words = fmt.Sprintf("Similarity %s. ", row.Alike) + row.Words
	}
	kept, without := 0, 0 // pairs of files
	for i, f := range p.Files {
		file := pairsFile{A: escape.Line(f.A.Path), B: escape.Line(f.B.Path), Words: words.Plural(f.Tokens, "token"), Open: i == 0}
		if f.Equal {
			file.Words += ", same content"
		}
		file.Words += words.Others(f)
		for _, m := range f.Matches {
			file.Matches = append(file.Matches, newPairsMatch(m))
		}
		switch {
		case len(f.Matches) == 0:
		case f.Matches[0].Text != nil:
			kept++
		default:
			without++
		}
		row.Files = append(row.Files, file)
	}
	for i, b := range p.Beside {
		row.Files = append(row.Files, newPairsBeside(b, i == 0))
	}
	if len(p.Files) > 0 && kept == 0 && !p.Equal {
		row.More = "The result was made without the source of this pair; --sources N keeps that of the first N pairs."
	} else if without > 0 {
		row.More = fmt.Sprintf("The page holds the source of %s of %s pairs of files; compare shows that of any two files.", words.Number(kept), words.Number(kept+without))
	}
	return row
}

func pairsSets(cs []similar.Common, name func(string) string) (out []pairsSet) {
	for _, c := range cs {
		s := pairsSet{Size: words.Plural(len(c.Units), "unit"), Tokens: words.Plural(c.Tokens, "token")}
		for _, u := range c.Units {
			s.Units = append(s.Units, name(u))
		}
		for _, x := range c.Code {
			s.Code = append(s.Code, stretchWords(x))
		}
		out = append(out, s)
	}
	return out
}

func stretchWords(s similar.Stretch) string { return words.Span(s.Path, s.StartLine, s.EndLine) }

// exactLists returns the maximal runs and the parameterized matches, if they were asked for.
func exactLists(r *similar.Result) (out []pairsExact) {
	if m := r.Maximal; m != nil {
		out = append(out, exactList(pairsExact{ID: "maximal", Title: "Maximal runs", Note: "Every run of equal tokens that both have."}, m.Whole, m.Matches))
	}
	if p := r.Parameterized; p != nil {
		shared := make([]similar.Shared, len(p.Matches))
		for i, m := range p.Matches {
			shared[i] = m.Shared
		}
		out = append(out, exactList(pairsExact{ID: "parameterized", Title: "Parameterized matches", Note: "Every stretch that is equal but for a one-to-one renaming of identifiers."}, p.Whole, shared))
	}
	return out
}

func exactList(l pairsExact, whole bool, shared []similar.Shared) pairsExact {
	if !whole {
		l.Note += " The code is too repetitive to list all."
	}
	for _, s := range shared {
		l.Rows = append(l.Rows, exactRow{words.Number(s.Tokens), stretchWords(s.A), stretchWords(s.B)})
	}
	return l
}

// newPairsMatch converts a match to the form that the report of a scan has for a finding.
func newPairsMatch(m similar.Match) pairsMatch {
	out := pairsMatch{Title: "Lines " + strings.Join(words.Match(m), ", "), Rest: "The match goes on; the page holds no more of it."}
	if m.Text != nil && len(m.Runs) > 0 {
		out.Source = newSource(&finding.Finding{Text: m.Text, Runs: m.Runs, Renames: m.Renames})
	}
	return out
}

// newPairsBeside converts two files of a pair without a match.
func newPairsBeside(b similar.Beside, open bool) pairsFile {
	name := func(path string) string { return escape.Line(cmp.Or(path, "no file")) }
	whole := pairsMatch{Title: "Both files, without a match", Source: newSource(&finding.Finding{Text: &b.Text}), Rest: "The files go on; the page holds no more of them."}
	return pairsFile{A: name(b.A), B: name(b.B), Open: open, Matches: []pairsMatch{whole}}
}

// pairsReasons groups the ledger by reason.
func pairsReasons(es []finding.Entry) []pairsReason {
	lines := make(map[string][]string)
	for _, e := range es {
		words := escape.Line(e.Path)
		if e.Detail != "" {
			words += ": " + escape.Line(e.Detail)
		}
		lines[string(e.Reason)] = append(lines[string(e.Reason)], words)
	}
	var out []pairsReason
	for r, ls := range lines {
		out = append(out, pairsReason{words.Number(len(ls)), escape.Line(r), ls})
	}
	slices.SortFunc(out, func(a, b pairsReason) int { return strings.Compare(a.Reason, b.Reason) })
	return out
}
