package excerpt

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
)

// Graft is a function in a later version of its package: tokens [From, To) of a file. It is pasted unchanged into an
// unknown file.
type Graft struct {
	*Code
	From, To     int
	Was          []lang.Token // the function in the indexed version
	Lang         string
	Origin, Path string // package without version and file of the indexed version
}

// Functions returns the functions of a file with at most most tokens, as tokens [from, to).
func (c *Code) Functions(most int) (out [][2]int) {
	for _, f := range c.fns {
		if f.to-f.from <= most {
			out = append(out, [2]int{f.from, f.to})
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	return out
}

// Line returns the line of a token, counted from 1.
func (c *Code) Line(i int) int { return c.line(i) }

// Text returns the text of a token.
func (c *Code) Text(i int) string { return c.text(i) }

// Grafts writes a target below dir for each graft that the rule of excerpts allows and that has a host: one of hosts, by language,
// or else an unknown file of the corpus. at has the indices of the written grafts, in the order of ps.
func Grafts(c *corpus.Corpus, bs []*baseline.Baseline, dir string, hosts map[string][]*Code, gs []Graft) (ps []Positive, at []int, err error) {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	known := make(map[uint64]string)
	makers := make(map[string]*maker)
	for _, g := range gs {
		for _, h := range grams(g.Was) {
			known[h] = ""
		}
		if makers[g.Lang] == nil {
			makers[g.Lang] = &maker{corpus: c, tz: tz, lang: g.Lang, known: known, dir: dir, hosts: hosts[g.Lang]}
			makers[g.Lang].readHosts()
		}
	}
	for _, b := range bs {
		if err := locate(b, known); err != nil {
			return nil, nil, err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, err
	}
	for i, g := range gs {
		m := makers[g.Lang]
		if was := grams(g.Was); 2*m.own(was, g.Origin) < len(was) || !mostlyDistinct(was) {
			continue
		}
		p, ok, err := m.graft(g)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			ps, at = append(ps, p), append(at, i)
		}
	}
	return ps, at, nil
}

// above returns the comment right above the graft, which people copy with it.
func (g Graft) above(indent string) (out string) {
	end := 0
	if g.From > 0 {
		end = int(g.Toks[g.From-1].End)
	}
	lines := strings.Split(string(g.Src[end:g.Toks[g.From].Start]), "\n")
	if g.From > 0 { // the rest of the line before
		lines = lines[1:]
	}
	if len(lines) == 0 {
		return ""
	}
	lines = lines[:len(lines)-1] // the graft's own line
	for i := len(lines) - 1; i >= 0 && strings.TrimSpace(lines[i]) != ""; i-- {
		out = indent + strings.TrimSpace(lines[i]) + "\n" + out
	}
	return out
}

// graft writes one target.
func (m *maker) graft(g Graft) (Positive, bool, error) {
	x := candidate{Code: g.Code, A: g.From, B: g.To, shape: "function", size: g.To - g.From}
	host, at, indent := m.host(x)
	if host == nil {
		return Positive{}, false, nil
	}
	name := fmt.Sprintf("%s%05d%s", m.lang, m.n, filepath.Ext(host.file.Path))
	m.n++
	before := host.upTo(at)
	text := g.excerpt(g.From, g.To, change{indent: indent, dice: corpus.NewDice(name)})
	before += g.above(indent)
	line := 1 + strings.Count(before, "\n")
	p := Positive{File: name, Lang: m.lang, Kind: "real", Shape: x.shape, Size: x.size, Tokens: g.To - g.From,
		Origin: g.Origin, Path: g.Path, First: line, Last: line + strings.Count(text, "\n") - 1, From: x}
	return p, true, os.WriteFile(filepath.Join(m.dir, name), []byte(before+text+"\n"+string(host.Src[at:])), 0o644)
}
