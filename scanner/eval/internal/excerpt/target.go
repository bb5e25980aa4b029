// Package excerpt makes the positives of an evaluation: it cuts excerpts out of
// known files, changes them as people do, and pastes them into unknown files. A
// corpus flows in; targets on disk and a list of positives flow out. Nothing here
// looks at how the scanner judges.
package excerpt

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/helpers"
)

// Sizes are those of excerpts, in tokens; one has up to an eighth more.
var Sizes = []int{30, 40, 60, 80, 120, 200, 400}

// FunctionSizes are the lower bounds by which whole functions are told apart.
var FunctionSizes = []int{60, 120, 200}

// vendoredSize is that of excerpts which other known packages hold too.
const vendoredSize = 120

// Positive is one excerpt in one target, and what is to be found.
type Positive struct {
	File        string // of the target
	Lang, Kind  string
	Shape       string    // excerpt, function, reordered, vendored
	Size        int       // class of its length
	Tokens      int       // of the excerpt as it was
	Origin      string    // package, without version
	Path        string    // in it
	First, Last int       // lines in the target
	From        candidate `json:"-"` // where it was cut
}

// candidate is an excerpt that may be taken.
type candidate struct {
	*Code
	A, B  int
	shape string
	size  int
	group []candidate // of the shape reordered: functions of one file
}

// GramLength is the length of the stretches by which an excerpt is held against
// the corpus. It is no parameter of the scanner's: it stays when k changes.
const GramLength = 20

// grams are the hashes of the stretches of tokens [a, b), kinds only.
func grams(toks []lang.Token) []uint64 {
	vs := make([]uint64, len(toks))
	for i, t := range toks {
		vs[i] = uint64(t.Kind)
	}
	return fingerprint.KGrams(nil, vs, GramLength)
}

// maker makes the targets of one language.
type maker struct {
	corpus  *corpus.Corpus
	tz      *lang.Tokenizer
	lang    string
	count   int               // of excerpts per size
	known   map[uint64]string // package of a stretch; many for several
	library library
	hosts   []*Code
	next    int // host
	dir     string
	n       int // targets written
	out     []Positive
	tried   int // candidates
	unfair  int // of these, not taken
}

const many = "many"

// Positives writes targets below dir: for each language and size count excerpts
// of known packages in files of unknown ones, each changed in every way.
func Positives(ctx context.Context, c *corpus.Corpus, b *baseline.Baseline, dir string, langs []string, count int) (ps []Positive, notes []string, err error) {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	var all []*maker
	cands := make(map[*maker][]candidate)
	known := make(map[uint64]string)
	for _, l := range langs {
		m := &maker{corpus: c, tz: tz, lang: l, count: count, known: known, dir: dir}
		all = append(all, m)
		cands[m] = m.candidates()
		for _, x := range cands[m] {
			for _, g := range grams(x.Toks[x.A:x.B]) {
				known[g] = ""
			}
		}
		m.readHosts()
		m.readLibrary()
	}
	if err := locate(b, known); err != nil {
		return nil, nil, err
	}
	for _, m := range all {
		if err := m.write(cands[m]); err != nil {
			return nil, nil, err
		}
		ps = append(ps, m.out...)
		notes = append(notes, fmt.Sprintf("%s: %d excerpts held against the rule, %d of them not taken; %d hosts", m.lang, m.tried, m.unfair, len(m.hosts)))
	}
	return ps, notes, nil
}

// locate notes in which package of a baseline each of the stretches occurs.
func locate(b *baseline.Baseline, known map[uint64]string) error {
	in, err := b.Info()
	if err != nil {
		return err
	}
	for id := range in.Documents {
		d, err := b.Doc(baseline.DocID(id))
		if err != nil {
			return err
		}
		toks, _, err := b.Tokens(d)
		if err != nil {
			return err
		}
		name := ""
		for _, g := range grams(toks) {
			was, ok := known[g]
			if !ok || was == many {
				continue
			}
			if name == "" {
				if name, err = owner(b, d); err != nil {
					return err
				}
			}
			if was == "" {
				known[g] = name
			} else if was != name {
				known[g] = many
			}
		}
	}
	return nil
}

// candidates lists excerpts of the known files, more than are needed.
func (m *maker) candidates() []candidate {
	var out []candidate
	have := make(map[string]int)
	spare := 2*m.count + 10
	for _, f := range m.corpus.Of(m.lang, "known") {
		if f.Size > 128<<10 {
			continue
		}
		src, err := os.ReadFile(f.Path)
		if err != nil {
			continue
		}
		c := Read(m.tz, f, src)
		if c == nil {
			continue
		}
		full := true
		take := func(x candidate) {
			if k := fmt.Sprint(x.shape, x.size); have[k] < spare {
				have[k]++
				out = append(out, x)
			}
		}
		for _, size := range Sizes {
			if have[fmt.Sprint("excerpt", size)] < spare {
				full = false
				if x, ok := c.cut(size); ok {
					take(x)
				}
			}
		}
		if m.corpus.PackageOf(f).Home {
			if x, ok := c.cut(vendoredSize); ok {
				x.shape = "vendored"
				take(x)
			}
		}
		for _, x := range c.functions() {
			take(x)
		}
		if full {
			break
		}
	}
	return out
}

// cut chooses an excerpt of about size tokens.
func (c *Code) cut(size int) (candidate, bool) {
	var starts []int
	for i, s := range c.start {
		if s {
			starts = append(starts, i)
		}
	}
	d := corpus.NewDice(c.file.Hash, size)
	for range min(20, len(starts)) {
		a, end := starts[d.UpTo(len(starts))], 0
		c.ends(a, size+max(4, size/8), func(b int) bool {
			if b-a >= size {
				end = b
			}
			return end == 0
		})
		if end > 0 && c.first(end) {
			return candidate{Code: c, A: a, B: end, shape: "excerpt", size: size}, true
		}
	}
	return candidate{}, false
}

// functions chooses one whole function of each size, and three to be reordered.
func (c *Code) functions() []candidate {
	var out []candidate
	fns := slices.Clone(c.fns)
	slices.SortFunc(fns, func(a, b fn) int { return cmp.Compare(a.from, b.from) })
	var group []candidate
	at := make([]bool, len(FunctionSizes))
	for _, f := range fns {
		n := f.to - f.from
		if n > 600 {
			continue
		}
		for i := len(FunctionSizes) - 1; i >= 0; i-- {
			if n < FunctionSizes[i] {
				continue
			}
			x := candidate{Code: c, A: f.from, B: f.to, shape: "function", size: FunctionSizes[i]}
			if !at[i] {
				at[i] = true
				out = append(out, x)
			}
			if len(group) < 3 && (len(group) == 0 || c.member(group[0].A) == f.member) {
				group = append(group, x)
			}
			break
		}
	}
	if len(group) == 3 {
		out = append(out, candidate{Code: c, A: group[0].A, B: group[2].B, shape: "reordered", size: 0, group: group})
	}
	return out
}

func (c *Code) member(from int) bool {
	return slices.ContainsFunc(c.fns, func(f fn) bool { return f.from == from && f.member })
}

// fair is the rule by which an excerpt is taken: at least half of its stretches
// of 20 tokens are distinct, at least half occur, names and values aside, in no
// other package of the baseline, and at least half of its tokens are not what a
// transpiler wrote. What everybody writes is nobody's copy. Of what others vendor
// at least half does occur in another package.
func (m *maker) fair(x candidate) bool {
	gs := grams(x.Toks[x.A:x.B])
	own := m.own(gs, m.corpus.NameOf(x.file))
	if x.shape == "vendored" {
		own = len(gs) - own
	}
	return 2*own >= len(gs) && mostlyDistinct(gs) && 2*x.written() <= x.B-x.A
}

// written counts the tokens that a transpiler wrote.
func (x candidate) written() (n int) {
	if !helpers.In(x.lang) {
		return 0
	}
	for _, h := range helpers.Find(x.Src, x.Toks) {
		n += max(0, min(h.To, x.B)-max(h.From, x.A))
	}
	return n
}

// own counts the stretches that one package has and no other.
func (m *maker) own(gs []uint64, name string) (n int) {
	for _, g := range gs {
		if m.known[g] == name {
			n++
		}
	}
	return n
}

func mostlyDistinct(gs []uint64) bool {
	sorted := slices.Sorted(slices.Values(gs))
	return 2*len(slices.Compact(sorted)) >= len(gs)
}

// readHosts reads files of unknown packages to paste into.
func (m *maker) readHosts() {
	for _, f := range m.corpus.Of(m.lang, "unknown") {
		if f.Size < 2<<10 || f.Size > 10<<10 || len(m.hosts) >= 400 {
			continue
		}
		src, err := os.ReadFile(f.Path)
		if err != nil {
			continue
		}
		if c := Read(m.tz, f, src); c != nil && len(c.fns) > 0 && slices.Contains(c.start, true) {
			m.hosts = append(m.hosts, c)
		}
	}
}

// write makes the targets of the fair candidates.
func (m *maker) write(cands []candidate) error {
	have := make(map[string]int)
	for _, x := range cands {
		k := fmt.Sprint(x.shape, x.size)
		if have[k] >= m.count {
			continue
		}
		m.tried++
		parts := []candidate{x}
		if x.group != nil {
			parts = x.group
		}
		if slices.ContainsFunc(parts, func(p candidate) bool { return !m.fair(p) }) {
			m.unfair++
			continue
		}
		host, at, indent := m.host(x)
		if host == nil {
			m.unfair++
			continue
		}
		have[k]++
		for _, kd := range Kinds {
			if x.shape != "excerpt" && kd.Name != "1" && kd.Name != "2c" && kd.Name != "2r" {
				continue
			}
			if err := m.paste(x, parts, kd, host, at, indent); err != nil {
				return err
			}
		}
	}
	return nil
}

// host chooses where an excerpt goes: a file that has nothing of it, the byte
// of a line there and the indentation.
func (m *maker) host(x candidate) (*Code, int, string) {
	gs := make(map[uint64]bool)
	for _, g := range grams(x.Toks[x.A:x.B]) {
		gs[g] = true
	}
	for range min(40, len(m.hosts)) {
		h := m.hosts[m.next%len(m.hosts)]
		m.next++
		if slices.ContainsFunc(grams(h.Toks), func(g uint64) bool { return gs[g] }) {
			continue
		}
		if at, indent, ok := h.place(x); ok {
			return h, at, indent
		}
	}
	return nil, 0, ""
}

// place finds where in a host an excerpt can stand.
func (c *Code) place(x candidate) (at int, indent string, ok bool) {
	d := corpus.NewDice(c.file.Hash, x.file.Hash, x.A)
	if x.shape == "excerpt" || x.shape == "vendored" {
		var starts []int
		for i, s := range c.start {
			if s {
				starts = append(starts, i)
			}
		}
		i := starts[d.UpTo(len(starts))]
		return c.lineStart(i), c.indent(i), true
	}
	var fns []fn
	for _, f := range c.fns {
		if f.member == x.member(cmp.Or(x.first0(), x.A)) {
			fns = append(fns, f)
		}
	}
	if len(fns) == 0 {
		return 0, "", false
	}
	f := fns[d.UpTo(len(fns))]
	return c.lineStart(f.to), c.indent(f.from), true
}

// first0 is where the first function of a group begins.
func (x candidate) first0() int {
	if len(x.group) > 0 {
		return x.group[0].A
	}
	return 0
}

// lineStart is where the line of token i begins, or the end of the file; for
// what follows a function, the line after it.
func (c *Code) lineStart(i int) int {
	if i >= len(c.Toks) {
		return len(c.Src)
	}
	return strings.LastIndexByte(string(c.Src[:c.Toks[i].Start]), '\n') + 1
}

// upTo is the text up to a byte, which ends a line.
func (c *Code) upTo(at int) string {
	if at > 0 && c.Src[at-1] != '\n' {
		return string(c.Src[:at]) + "\n"
	}
	return string(c.Src[:at])
}

// paste writes one target and notes what is in it.
func (m *maker) paste(x candidate, parts []candidate, k kind, host *Code, at int, indent string) error {
	d := corpus.NewDice(x.file.Hash, x.A, x.B, k.Name)
	name := fmt.Sprintf("%s%05d%s", m.lang, m.n, filepath.Ext(host.file.Path))
	m.n++
	var b strings.Builder
	b.WriteString(host.upTo(at))
	line := 1 + strings.Count(b.String(), "\n")
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		var fixed map[string]bool
		if k.library {
			fixed = m.library.fixed(p.Code, p.A, p.B, m.corpus.NameOf(p.file))
		}
		text := p.excerpt(p.A, p.B, k, fixed, indent, d)
		n := strings.Count(text, "\n")
		m.out = append(m.out, Positive{File: name, Lang: m.lang, Kind: k.Name, Shape: x.shape, Size: p.size, Tokens: p.B - p.A,
			Origin: m.corpus.NameOf(x.file), Path: x.file.Rel, First: line, Last: line + n - 1, From: p})
		b.WriteString(text)
		line += n
		if x.shape == "function" || x.shape == "reordered" {
			b.WriteString("\n")
			line++
		}
	}
	b.Write(host.Src[at:])
	if err := os.MkdirAll(m.dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.dir, name), []byte(b.String()), 0o644)
}

// owner is the package a document is first of all known from.
func owner(b *baseline.Baseline, d baseline.Document) (string, error) {
	occs, err := b.Occurrences(d)
	if err != nil || len(occs) == 0 {
		return many, err
	}
	name := purl.Name(occs[0].PURL)
	for _, o := range occs {
		if purl.Name(o.PURL) != name {
			return many, nil
		}
	}
	return name, nil
}
