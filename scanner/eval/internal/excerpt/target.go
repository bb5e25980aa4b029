// Package excerpt makes the positives of an evaluation. It cuts excerpts out of known files of a corpus, changes them
// as people do, and pastes them into unknown files. It writes targets to disk and returns a list of positives. It does
// not depend on the scanner's judgement.
//
//	code.go        Code: a file with its statements and functions
//	candidates.go  excerpts of known files
//	change.go      changes to an excerpt; library.go: names that stay, because a library has them
//	target.go      excerpts in unknown files; graft.go: whole functions; outline.go: functions of languages without excerpts
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
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
)

// Sizes are the sizes of excerpts, in tokens. An excerpt may have up to an eighth more.
var Sizes = []int{30, 40, 60, 80, 120, 200, 400}

// FunctionSizes are the lower bounds of the size classes of whole functions.
var FunctionSizes = []int{60, 120, 200}

// vendoredSize is the size of excerpts that other known packages also contain.
const vendoredSize = 120

// Positive is one excerpt in one target, with the expected finding.
type Positive struct {
	File        string // of the target
	Lang, Kind  string
	Shape       string    // excerpt, function, reordered, vendored
	Size        int       // class of its length
	Tokens      int       // of the unchanged excerpt
	Origin      string    // package, without version
	Path        string    // in it
	First, Last int       // lines in the target
	From        candidate `json:"-"` // where it was cut from
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
	next    int // next host
	dir     string
	n       int // targets written
	out     []Positive
	tried   int // candidates tried
	unfair  int // candidates refused by the rule
}

const many = "many"

// Order says which targets are to be written.
type Order struct {
	Dir   string // below which they are written
	Langs []string
	Count int // excerpts of each language and size
}

// Positives writes targets: it pastes excerpts of known packages into files of unknown ones, each with every change.
func Positives(ctx context.Context, c *corpus.Corpus, b *baseline.Baseline, o Order) (ps []Positive, notes []string, err error) {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	var all []*maker
	cands := make(map[*maker][]candidate)
	known := make(map[uint64]string)
	for _, l := range o.Langs {
		m := &maker{corpus: c, tz: tz, lang: l, count: o.Count, known: known, dir: o.Dir}
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

// locate notes the package of a baseline in which each stretch occurs.
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

// readHosts reads files of unknown packages as hosts.
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
			if err := m.paste(x, parts, kd, gap{host, at, indent}); err != nil {
				return err
			}
		}
	}
	return nil
}

// host selects the place for an excerpt: a file that has none of it, the byte of a line there, and the indentation.
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

// place finds a place for an excerpt in a host.
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

// first0 returns the start of the first function of a group.
func (x candidate) first0() int {
	if len(x.group) > 0 {
		return x.group[0].A
	}
	return 0
}

// lineStart returns the start of token i's line, or the end of the file. For the token after a function it returns the
// line after the function.
func (c *Code) lineStart(i int) int {
	if i >= len(c.Toks) {
		return len(c.Src)
	}
	return strings.LastIndexByte(string(c.Src[:c.Toks[i].Start]), '\n') + 1
}

// upTo returns the text up to a byte, ending with a line end.
func (c *Code) upTo(at int) string {
	if at > 0 && c.Src[at-1] != '\n' {
		return string(c.Src[:at]) + "\n"
	}
	return string(c.Src[:at])
}

// gap is the place in a host where an excerpt is pasted.
type gap struct {
	*Code
	at     int // byte
	indent string
}

// paste writes one target and notes its content.
func (m *maker) paste(x candidate, parts []candidate, k kind, into gap) error {
	d := corpus.NewDice(x.file.Hash, x.A, x.B, k.Name)
	name := fmt.Sprintf("%s%05d%s", m.lang, m.n, filepath.Ext(into.file.Path))
	m.n++
	var b strings.Builder
	b.WriteString(into.upTo(into.at))
	line := 1 + strings.Count(b.String(), "\n")
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		var fixed map[string]bool
		if k.library {
			fixed = m.library.fixed(p.Code, p.A, p.B, m.corpus.NameOf(p.file))
		}
		text := p.excerpt(p.A, p.B, change{k, fixed, into.indent, d})
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
	b.Write(into.Src[into.at:])
	if err := os.MkdirAll(m.dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.dir, name), []byte(b.String()), 0o644)
}

// owner returns the first package that is known to have a document.
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
