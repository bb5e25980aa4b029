package measure

import (
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/excerpt"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Further is an origin of a finding after the first, or a part origin.
type Further struct {
	Path, Lines   string // of the target
	First         string // origin
	Package, File string
	Similarity    float64
	Bits, Best    float64 // of the match, and of the match with the first origin
	Part          bool
	Held          float64 // the share of the text's stretches that the file contains, with names and values
}

// True reports whether the file really contains the text: half of its stretches of 20 tokens, with names and values. It
// is determined from the files alone.
func (f Further) True() bool { return f.Held >= 0.5 }

// reader reads files of the corpus as hashes of their stretches.
type reader struct {
	corpus *corpus.Corpus
	tz     *lang.Tokenizer
	byName map[string]string // path of a file, by package and path in it
	have   map[string]map[uint64]bool
}

func newReader(c *corpus.Corpus, tz *lang.Tokenizer) *reader {
	r := &reader{corpus: c, tz: tz, byName: make(map[string]string), have: make(map[string]map[uint64]bool)}
	for _, f := range c.Files {
		r.byName[c.PackageOf(f).PURL+" "+f.Rel] = f.Path
	}
	return r
}

// stretches returns the stretches of tokens [a, b) of a text, with names and values.
func stretches(src []byte, toks []lang.Token, a, b int) []uint64 {
	var out []uint64
	for i := a; i+excerpt.GramLength <= b; i++ {
		h := fnv.New64a()
		for _, t := range toks[i : i+excerpt.GramLength] {
			h.Write(src[t.Start:t.End])
			h.Write([]byte{0})
		}
		out = append(out, h.Sum64())
	}
	return out
}

// holds returns the share of stretches that a file of a package contains. Each file is read once.
func (r *reader) holds(gs []uint64, pkg, path string) (float64, error) {
	name := r.byName[pkg+" "+path]
	if name == "" && strings.HasPrefix(pkg, "pkg:golang/std@") {
		name = filepath.Join(r.corpus.GoRoot, "src", filepath.FromSlash(path))
	}
	if name == "" {
		return 0, fmt.Errorf("%s %s is not in the corpus", pkg, path)
	}
	set, ok := r.have[name]
	if !ok {
		src, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		set = make(map[uint64]bool)
		if toks := r.tokens(name, src); toks != nil {
			for _, g := range stretches(src, toks, 0, len(toks)) {
				set[g] = true
			}
		}
		r.have[name] = set
	}
	n := 0
	for _, g := range gs {
		if set[g] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(gs))), nil
}

func (r *reader) tokens(name string, src []byte) []lang.Token {
	d := lang.Detect(name, src)
	l := d.Language
	if l == nil {
		l = lang.Words()
	}
	s, _, _, err := r.tz.TokenizeOrWords(l, src)
	if err != nil {
		return nil
	}
	return slices.Clone(s.Tokens)
}

// further lists the files named after the first origin of a finding. Each is compared with several texts and may
// contain any of them.
func (r *reader) further(f finding.Finding, texts ...[]uint64) ([]Further, error) {
	var out []Further
	add := func(pkg, path string, similarity, bits float64, part bool) error {
		x := Further{Path: f.Path, Lines: fmt.Sprintf("%d-%d", f.StartLine, f.EndLine), First: purl.Name(f.Origins[0].PURL) + " " + f.Origins[0].Path,
			Package: pkg, File: path, Similarity: similarity, Bits: bits, Best: f.Bits, Part: part}
		for _, gs := range texts {
			held, err := r.holds(gs, pkg, path)
			if err != nil {
				return err
			}
			x.Held = max(x.Held, held)
		}
		out = append(out, x)
		return nil
	}
	for _, o := range f.Origins[1:] {
		if err := add(o.PURL, o.Path, o.Similarity, o.Bits, false); err != nil {
			return nil, err
		}
	}
	for _, o := range f.PartOrigins {
		if err := add(o.PURL, o.Path, float64(o.Tokens)/float64(f.Tokens), o.Bits, true); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// pasted lists the further origins of the findings in positives. A file is compared with the unchanged excerpt.
func (r *reader) pasted(ps []excerpt.Positive, s *Scan) (out []Further, err error) {
	for _, p := range ps {
		for _, f := range s.by[p.File] {
			if f.StartLine > p.Last || f.EndLine < p.First || purl.Name(f.Origins[0].PURL) != p.Origin {
				continue
			}
			fs, err := r.further(f, stretches(p.From.Src, p.From.Toks, p.From.A, p.From.B))
			if err != nil {
				return nil, err
			}
			out = append(out, fs...)
		}
	}
	return out, nil
}

// found lists the further origins of the findings in unknown files, compared with the region and with the text of the
// first origin, which was read in a review.
func (r *reader) found(s *Scan) (out []Further, err error) {
	for _, f := range s.report.Findings {
		if f.Text == nil {
			continue
		}
		var texts [][]uint64
		for _, e := range []finding.Excerpt{f.Text.Target, f.Text.Origin} {
			src := []byte(strings.Join(e.Lines, "\n"))
			toks := r.tokens(f.Path, src)
			texts = append(texts, stretches(src, toks, 0, len(toks)))
		}
		fs, err := r.further(f, texts...)
		if err != nil {
			return nil, err
		}
		out = append(out, fs...)
	}
	return out, nil
}

// furtherTable prints how many of the further origins are true, and how many of the part origins would have been.
func furtherTable(w io.Writer, rows map[string][]Further) {
	fmt.Fprintln(w, "Origins named behind the first, versions folded, that have half of the text's stretches of 20 tokens with their names and values; beside them the files set apart:")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "| findings in | further origins | true | precision | set apart | of these true |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|")
	for _, name := range []string{"pasted excerpts", "unknown files"} {
		var named, apart share
		for _, f := range rows[name] {
			if f.Part {
				apart.add(f.True())
			} else {
				named.add(f.True())
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %s | %d | %d |\n", name, named.of, named.n, named, apart.of, apart.n)
	}
	fmt.Fprintln(w)
}
