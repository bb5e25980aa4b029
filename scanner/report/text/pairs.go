package text

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/words"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// Pairs writes pairs of units for a person.
func Pairs(w io.Writer, r *similar.Result, o Options) error {
	t := &printer{w: bufio.NewWriter(w), o: o}
	t.sets(r.Sets)
	shown := t.most(len(r.Pairs))
	err := r.First(shown, func(p *similar.UnitPair) error {
		t.pair(p, r)
		return nil
	})
	if err != nil {
		return err
	}
	t.more(len(r.Pairs)-shown, "more pair")
	t.distribution(r.Distribution)
	t.parameterized(r.Parameterized)
	t.maximal(r)
	if r.Sets == nil {
		t.groups(r)
	}
	t.common(r.Common)
	t.ledger(r.Ledger)
	t.nothing(r)
	if len(r.Pairs) > 0 && r.Sets == nil && !t.o.Verbose {
		fmt.Fprintln(t.w, "to see both sides of each pair: --output page.html")
	}
	fmt.Fprintf(t.w, "%s of %s; matches of %s and more\n", words.Plural(len(r.Pairs), "pair"), words.Plural(len(r.Units), "unit"), words.Plural(r.Parameters.MinTokens, "token"))
	return flush(t.w)
}

// MostListed is how many pairs, and how many groups, are listed unless all are asked for.
const MostListed = 100

func (t *printer) most(n int) int {
	if t.o.Verbose {
		return n
	}
	return min(n, MostListed)
}

// more says how many are not listed.
func (t *printer) more(n int, what string) {
	if n > 0 {
		fmt.Fprintf(t.w, "+%s; --verbose lists them\n", words.Plural(n, what))
	}
}

// distribution says how alike the pairs are, also those that are not listed.
func (t *printer) distribution(pairs []int) {
	var parts []string
	sum := 0
	for i, n := range pairs {
		if sum += n; n > 0 {
			parts = append(parts, words.Number(n)+" at "+words.PercentRange(i))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(t.w, "%s by similarity: %s\n", words.Plural(sum, "compared pair"), strings.Join(parts, ", "))
	}
}

// nothing says why there cannot be a pair.
func (t *printer) nothing(r *similar.Result) {
	if r.Query != "" && len(r.Units) < 2 {
		fmt.Fprintln(t.w, "there is no file to compare "+escape.Line(r.Query)+" with")
		return
	}
	if r.Query == "" && r.Sets == nil {
		if len(r.Units) < 2 {
			fmt.Fprintln(t.w, "there are no two units to compare")
			return
		}
		if empty := r.Empty(); len(empty) > 0 {
			fmt.Fprintln(t.w, words.NoCode(len(empty), len(r.Units))+":")
			for _, u := range empty {
				fmt.Fprintln(t.w, "    "+escape.Line(u.Name)+words.Why(u))
			}
		}
		return
	}
	if r.Sets != nil && len(r.Pairs) == 0 && r.Sets.A > 0 && r.Sets.B > 0 {
		fmt.Fprintln(t.w, words.NoRun(r.Parameters.MinTokens))
		if r.Sets.Apart != nil {
			fmt.Fprintln(t.w, words.Apart(r.Units[0].Name, r.Units[1].Name, r.Sets.Apart))
		}
	}
	var grams []int // of two units
	if r.Sets != nil {
		grams = []int{r.Sets.A, r.Sets.B}
	}
	for i, u := range r.Units {
		if grams != nil && grams[i] == 0 || u.Name == r.Query && u.Tokens == 0 {
			fmt.Fprintf(t.w, "%s has no code that can be compared\n", escape.Line(u.Name))
		}
	}
}

func (t *printer) groups(r *similar.Result) {
	shown := t.most(len(r.Groups))
	for i, g := range r.Groups[:shown] {
		fmt.Fprintf(t.w, "group %d: %s, each %s\n", i+1, words.Plural(len(g.Units), "unit"), words.Linked(g.Least, r.Order()))
		for _, u := range g.Units {
			fmt.Fprintln(t.w, "    "+escape.Line(u))
		}
	}
	t.more(len(r.Groups)-shown, "more group")
}

// common writes sets of units that have the same code.
func (t *printer) common(cs []similar.Common) {
	for _, c := range cs {
		fmt.Fprintf(t.w, "%s that all have the same %s\n", words.Plural(len(c.Units), "unit"), words.Plural(c.Tokens, "token"))
		for _, u := range c.Units {
			fmt.Fprintln(t.w, "    "+escape.Line(u))
		}
		for _, s := range c.Code {
			fmt.Fprintf(t.w, "    in the first: %s\n", words.Span(s.Path, s.StartLine, s.EndLine))
		}
	}
}

func flush(w *bufio.Writer) error {
	if err := w.Flush(); err != nil { // returns the first error of all writes
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func (t *printer) sets(s *similar.Sets) {
	if s == nil || s.A == 0 || s.B == 0 {
		return
	}
	fmt.Fprintf(t.w, "resemblance %s; %s of A is in B, %s of B is in A (%s and %s, each counted once", words.Percent(s.Resemblance), words.Percent(s.ContainmentA), words.Percent(s.ContainmentB), words.Plural(s.A, "k-gram"), words.Plural(s.B, "k-gram"))
	if s.Sampled > 1 {
		fmt.Fprintf(t.w, ", one in %d counted", s.Sampled)
	}
	fmt.Fprintln(t.w, ")")
}

// maxFilePairs is how many pairs of files are shown for two units.
const maxFilePairs = 10

// pair writes one pair of units: the matches if each is one file, otherwise the pairs of files.
func (t *printer) pair(p *similar.UnitPair, r *similar.Result) {
	head := escape.Line(p.A) + "  and  " + escape.Line(p.B)
	if p.A == r.Query {
		head = escape.Line(p.B)
	}
	fmt.Fprintln(t.w, t.paint(bold, head))
	if p.Equal && len(p.Files) <= 1 {
		fmt.Fprintln(t.w, "    equal: same content, "+words.Plural(p.SharedA, "token")+words.Alone(p))
		return
	}
	if p.Equal { // which may have other names, or be there several times
		fmt.Fprintln(t.w, "    equal: every file of one has a file of the same content in the other, "+words.Plural(p.SharedA, "token")+words.Alone(p))
		if !t.o.Verbose {
			return
		}
	}
	if p.Similarity > 0 {
		t.detail("similar", []string{words.Percent(p.Similarity) + ", by structure and values"})
	}
	if len(p.Files) == 0 {
		t.detail("share", []string{words.NoRun(r.Parameters.MinTokens)})
		return
	}
	t.detail("share", []string{words.Percent(p.ShareA) + " of the first", words.Percent(p.ShareB) + " of the second", words.Plural(p.SharedA, "token") + " shared" + words.Alone(p)})
	if len(p.Files) == 1 {
		if f := p.Files[0]; !isNamed(p.A, f.A) || !isNamed(p.B, f.B) {
			t.detail("files", []string{escape.Line(f.A.Path) + " and " + escape.Line(f.B.Path) + words.Others(f)})
		}
		t.matches(p.Files[0].Matches)
		return
	}
	shown := p.Files
	if !t.o.Verbose {
		shown = shown[:min(len(shown), maxFilePairs)]
	}
	for _, f := range shown {
		t.files(f)
	}
	if n := len(p.Files) - len(shown); n > 0 {
		fmt.Fprintf(t.w, "    +%s of files; --verbose lists them\n", words.Plural(n, "more pair"))
	}
}

// isNamed reports whether a unit has the name of its file, which then needs no mention.
func isNamed(unit string, file similar.Side) bool {
	return file.Path == unit || file.Path == path.Base(unit)
}

// files writes what two files of larger units share.
func (t *printer) files(f similar.Pair) {
	names := escape.Line(f.A.Path) + " and " + escape.Line(f.B.Path)
	if f.Equal {
		t.detail("equal", []string{names, words.Plural(f.Tokens, "token") + words.Others(f)})
		return
	}
	t.detail("files", []string{names, words.Plural(f.Tokens, "token"), partOf(f.A) + " and " + partOf(f.B) + " of the files" + words.Others(f)})
	if t.o.Verbose {
		t.matches(f.Matches)
	}
}

func partOf(s similar.Side) string {
	return words.Percent(float64(s.Shared) / float64(max(s.Tokens, 1)))
}

func (t *printer) matches(ms []similar.Match) {
	for _, m := range ms {
		t.match(m)
	}
}

func (t *printer) match(m similar.Match) { t.detail("lines", words.Match(m)) }

func (t *printer) parameterized(p *similar.Parameterized) {
	if p == nil {
		return
	}
	fmt.Fprintln(t.w, t.paint(bold, words.Plural(len(p.Matches), "parameterized match")))
	listed := p.Matches
	if !t.o.Verbose {
		listed = listed[:min(mostExact, len(listed))]
	}
	for _, m := range listed {
		fmt.Fprintf(t.w, "    %s = %s, %s, %s renamed\n", words.Span(m.A.Path, m.A.StartLine, m.A.EndLine), words.Span(m.B.Path, m.B.StartLine, m.B.EndLine), words.Plural(m.Tokens, "token"), words.Plural(m.Renamed, "name"))
	}
	t.moreExact(len(p.Matches) - len(listed))
	if !p.Whole {
		fmt.Fprintln(t.w, "    the code is too repetitive to list all: there are more")
	}
}

// mostExact is how many maximal runs, and how many parameterized matches, are listed unless all are asked for.
const mostExact = 20

func (t *printer) moreExact(n int) {
	if n > 0 {
		fmt.Fprintf(t.w, "    +%s more; --verbose lists them\n", words.Number(n))
	}
}

func (t *printer) maximal(r *similar.Result) {
	m := r.Maximal
	if m == nil || len(r.Units) < 2 {
		return
	}
	part := func(n int, u similar.Unit) string { return words.Percent(float64(n) / float64(max(u.Tokens, 1))) }
	fmt.Fprintf(t.w, "%s: %s of the first and %s of the second lie in one\n", t.paint(bold, words.Plural(len(m.Matches), "maximal run")), part(m.SharedA, r.Units[0]), part(m.SharedB, r.Units[1]))
	listed := m.Matches
	if !t.o.Verbose {
		listed = listed[:min(mostExact, len(listed))]
	}
	for _, s := range listed {
		fmt.Fprintf(t.w, "    %s = %s, %s\n", words.Span(s.A.Path, s.A.StartLine, s.A.EndLine), words.Span(s.B.Path, s.B.StartLine, s.B.EndLine), words.Plural(s.Tokens, "token"))
	}
	t.moreExact(len(m.Matches) - len(listed))
	if !m.Whole {
		fmt.Fprintln(t.w, "    the code is too repetitive to list all: shorter ones are left out")
	}
}

// Clusters writes groups of near-duplicates for a person.
func Clusters(w io.Writer, c *similar.Clusters, o Options) error {
	t := &printer{w: bufio.NewWriter(w), o: o}
	files := 0
	for _, k := range c.Clusters {
		files += len(k.Members)
		fmt.Fprintf(t.w, "%s  %s\n", t.paint(bold, escape.Line(k.Representative)), words.Plural(len(k.Members), "file"))
		for _, m := range k.Members {
			if m.Path != k.Representative {
				fmt.Fprintf(t.w, "    %s %s\n", resembles(m), escape.Line(m.Path))
			}
		}
	}
	t.ledger(c.Ledger)
	fmt.Fprintf(t.w, "%s of %s, in %s of %s\n", words.Plural(len(c.Clusters), "cluster"), words.Plural(files, "file"), words.Plural(c.Contents, "content"), words.Plural(c.Files, "file"))
	return flush(t.w)
}

func resembles(m similar.Member) string {
	if m.Equal {
		return "equal"
	}
	return fmt.Sprintf("%4.0f%%", 100*m.Resemblance)
}
