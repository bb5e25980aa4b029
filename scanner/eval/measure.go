package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

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

// cpu is the processor time this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// scan is one run over a directory: the findings of each file.
type scan struct {
	report *finding.Report
	by     map[string][]finding.Finding
	tokens float64 // of the baseline
	cpu    time.Duration
}

// everything are the options under which nothing is held back by its score or
// its length.
func everything(k int) scanner.Options {
	o := scanner.Defaults()
	o.MinTokens, o.MinScore = k, 0
	return o
}

// withoutSource are the defaults, without the source text of both sides.
func withoutSource() scanner.Options {
	o := scanner.Defaults()
	o.NoSource = true
	return o
}

func run(ctx context.Context, b *baseline.Baseline, dir string, o scanner.Options) (*scan, error) {
	in, err := b.Info()
	if err != nil {
		return nil, err
	}
	o.Workers = 2
	s, err := scanner.New([]*baseline.Baseline{b}, o)
	if err != nil {
		return nil, err
	}
	before := cpu()
	rep, err := s.Tree(ctx, nil, dir, nil)
	if err != nil {
		return nil, err
	}
	out := &scan{report: rep, by: make(map[string][]finding.Finding), tokens: float64(in.Tokens), cpu: cpu() - before}
	for _, f := range rep.Findings {
		out.by[f.Path] = append(out.by[f.Path], f)
	}
	return out, nil
}

// standing are the weights the scanner weighs by: its scores are rounded, and tell
// strong findings no longer apart.
var standing = score.Standing()

// strength of a finding is -log2 of the number of such matches to expect by
// accident: what the score is made of, without its bounds.
func (s *scan) strength(f finding.Finding) float64 {
	if f.Support < s.needed(f) { // at the defaults it would not support
		f.Support = 0
	}
	return s.raw(f)
}

// raw is the strength as scanned, with the support a low threshold lets through.
func (s *scan) raw(f finding.Finding) float64 {
	return standing.Trust*standing.Supported(f.Bits, f.Support) - s.chances(f)
}

// chances are the places where a match could arise, in bits: tokens of the
// baseline times tokens of the file.
func (s *scan) chances(f finding.Finding) float64 {
	return math.Log2(s.tokens) + math.Log2(float64(f.Tokens)/max(f.FileShare, 1e-4))
}

// needed are the bits that make the default score in the file of a finding.
func (s *scan) needed(f finding.Finding) float64 {
	return (s.chances(f) + strengthOf(examine.DefaultMinScore)) / standing.Trust
}

// strengthOf is the strength that makes a score.
func strengthOf(score float64) float64 { return math.Log2(score / (1 - score)) }

// check tells whether strength still explains the scores: it reads the tokens of a file off a rounded share.
func (s *scan) check() error {
	for _, f := range s.report.Findings {
		if f.Score < 0.1 || f.Score > 0.9 || f.FileShare < 0.01 {
			continue
		}
		if got := 1 / (1 + math.Exp2(-s.raw(f))); math.Abs(got-f.Score) > 0.05 {
			return fmt.Errorf("%s:%d has a score of %.3f where bits and support make %.3f", f.Path, f.StartLine, f.Score, got)
		}
	}
	return nil
}

// Outcome is what became of a positive.
type Outcome struct {
	Positive
	Found    bool    // at the defaults
	Strength float64 // under which it would still be found; never at no score
	Stage    string  // if it is not found: why
	Bits     float64 // of the best finding there is, at any score
	Support  float64
	Needed   float64
	Length   int // tokens matched there
	Rank     bool
	Overlap  float64 // Jaccard of the lines reported and pasted
	Got      string  // the origin named
	Type     int
}

// covered counts the lines of a positive that findings cover.
func (p Positive) covered(fs []finding.Finding) int {
	n := 0
	for l := p.First; l <= p.Last; l++ {
		if slices.ContainsFunc(fs, func(f finding.Finding) bool { return f.StartLine <= l && l <= f.EndLine }) {
			n++
		}
	}
	return n
}

// half tells whether findings cover half of a positive: then it counts as found.
func (p Positive) half(fs []finding.Finding) bool { return 2*p.covered(fs) >= p.Last-p.First+1 }

// judge works out the outcome of a positive from a scan at the defaults and one
// that holds nothing back.
func judge(p Positive, def, all *scan) Outcome {
	o := Outcome{Positive: p, Strength: never}
	near := func(fs []finding.Finding) []finding.Finding {
		return slices.DeleteFunc(slices.Clone(fs), func(f finding.Finding) bool { return f.EndLine < p.First || f.StartLine > p.Last })
	}
	got := near(def.by[p.File])
	o.Found = p.half(got)
	if len(got) > 0 {
		o.best(p, got)
	}
	any := near(all.by[p.File])
	slices.SortStableFunc(any, func(a, b finding.Finding) int { return cmp.Compare(all.strength(b), all.strength(a)) })
	long := slices.DeleteFunc(slices.Clone(any), func(f finding.Finding) bool { return f.Tokens < examine.DefaultMinTokens })
	for i := range long {
		if p.half(long[:i+1]) {
			o.Strength = all.strength(long[i])
			break
		}
	}
	if len(any) > 0 {
		b := any[0]
		o.Bits, o.Support, o.Needed, o.Length = b.Bits, b.Support, all.needed(b), b.Tokens
		o.Got, o.Type = cmp.Or(o.Got, purl.Name(b.Origins[0].PURL)), b.CloneType
	}
	o.Stage = p.stage(o, got, long, any)
	return o
}

// best reads origin and overlap off the finding that covers most.
func (o *Outcome) best(p Positive, got []finding.Finding) {
	f := slices.MaxFunc(got, func(a, b finding.Finding) int {
		return cmp.Compare(p.covered([]finding.Finding{a}), p.covered([]finding.Finding{b}))
	})
	o.Got = purl.Name(f.Origins[0].PURL)
	o.Rank = o.Got == p.Origin
	n := p.covered([]finding.Finding{f})
	o.Overlap = float64(n) / float64(p.Last-p.First+1+f.EndLine-f.StartLine+1-n)
}

func (p Positive) stage(o Outcome, got, long, any []finding.Finding) string {
	switch {
	case o.Found:
		return "found"
	case p.half(long):
		return "below threshold"
	case p.half(any):
		return "short"
	case len(any) > 0:
		return "partly"
	}
	return "nothing"
}

// Negatives lays files of unknown packages out below dir: count of each language.
func (c *Corpus) Negatives(dir string, langs []string, count int) (n int, err error) {
	for _, l := range langs {
		for i, f := range c.Of(l, "unknown") {
			if i >= count {
				break
			}
			n++
			if err := place(f.Path, filepath.Join(dir, flat(f))); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// flat is the path of a negative: directories of the original that the scanner
// would leave alone are no directories here.
func flat(f File) string {
	return f.Lang + "/" + strings.ReplaceAll(f.Package, ":", "_") + "/" + strings.ReplaceAll(f.Rel, "/", "--")
}

// Review is one line of reviewed.tsv: what a person found, reading both sides.
type Review struct {
	ID, Path, Origin, Verdict, Why string
	First, Last                    int
}

// Reviews reads reviewed.tsv.
func Reviews(name string) ([]Review, error) {
	var out []Review
	err := rows(name, 6, func(r []string) error {
		v := Review{ID: r[0], Path: r[1], Origin: r[3], Verdict: r[4], Why: r[5]}
		out = append(out, v)
		_, err := fmt.Sscanf(r[2], "%d-%d", &out[len(out)-1].First, &out[len(out)-1].Last)
		return err
	})
	if os.IsNotExist(err) {
		return nil, nil
	}
	return out, err
}

// verdict of a finding: that of a review of it, or of one of the same lines and
// origin, where half of the finding lies.
func verdict(rs []Review, f finding.Finding) string {
	name := purl.Name(f.Origins[0].PURL)
	for _, r := range rs {
		if r.ID == f.ID && r.Path == f.Path {
			return r.Verdict
		}
	}
	for _, r := range rs {
		if both := min(r.Last, f.EndLine) - max(r.First, f.StartLine) + 1; r.Path == f.Path && r.Origin == name && 2*both >= f.EndLine-f.StartLine+1 {
			return r.Verdict
		}
	}
	return "unreviewed"
}

// never is the strength of what is found at no score: infinity is no JSON.
const never = -1e6
