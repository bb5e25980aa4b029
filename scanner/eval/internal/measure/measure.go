package measure

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/excerpt"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Scan is one run over a directory: the findings of each file.
type Scan struct {
	report *finding.Report
	by     map[string][]finding.Finding
	cpu    time.Duration
}

// Of lists the findings of a file.
func (s *Scan) Of(path string) []finding.Finding { return s.by[path] }

// All lists all findings.
func (s *Scan) All() []finding.Finding { return s.report.Findings }

// Everything returns the options that report every finding, whatever its score or length.
func Everything(k int) scanner.Options {
	o := scanner.Defaults()
	o.MinTokens, o.MinScore = k, 0
	return o
}

// WithoutSource returns the defaults, without the source text of both sides.
func WithoutSource() scanner.Options {
	o := scanner.Defaults()
	o.NoSource = true
	return o
}

// Run scans dir against baselines and groups the findings by file.
func Run(ctx context.Context, bs []*baseline.Baseline, dir string, o scanner.Options) (*Scan, error) {
	o.Workers = 2
	s, err := scanner.New(bs, o)
	if err != nil {
		return nil, err
	}
	before := corpus.CPU()
	rep, err := s.Tree(ctx, nil, dir, nil)
	if err != nil {
		return nil, err
	}
	out := &Scan{report: rep, by: make(map[string][]finding.Finding), cpu: corpus.CPU() - before}
	for _, f := range rep.Findings {
		out.by[f.Path] = append(out.by[f.Path], f)
	}
	return out, nil
}

// standing are the scanner's weights. Its scores are rounded and no longer distinguish strong findings.
var standing = score.DefaultWeights()

// strength of a finding is -log2 of the expected number of accidental matches like it: score.AccidentBits at the needed
// bits, and one more for each bit that counts.
func (s *Scan) strength(f finding.Finding) float64 {
	if needed := s.needed(f); f.Support < needed { // with the defaults it would give no support
		f.ScoredBy.Above = f.Bits - needed
	}
	return s.raw(f)
}

// raw is the strength as scanned, with the support that a low threshold lets through.
func (s *Scan) raw(f finding.Finding) float64 {
	return standing.Trust*f.ScoredBy.Above + score.AccidentBits
}

// needed returns the bits needed at the default score in the file of a finding.
func (s *Scan) needed(f finding.Finding) float64 {
	return standing.Supported(f.Bits, f.Support) - f.ScoredBy.Above
}

// Outcome is the result for a positive.
type Outcome struct {
	excerpt.Positive
	Found    bool    // with the defaults
	Strength float64 // up to this strength it would still be found; never if at no score
	Stage    string  // if it is not found: the reason
	Bits     float64 // of the best finding at any score
	Support  float64
	Needed   float64
	Length   int // tokens matched there
	Rank     bool
	Overlap  float64 // Jaccard of the lines reported and pasted
	Got      string  // the named origin
	Type     int
}

// covered counts the lines of a positive that findings cover.
func covered(p excerpt.Positive, fs []finding.Finding) int {
	n := 0
	for l := p.First; l <= p.Last; l++ {
		if slices.ContainsFunc(fs, func(f finding.Finding) bool { return f.StartLine <= l && l <= f.EndLine }) {
			n++
		}
	}
	return n
}

// half reports whether findings cover half of a positive, which then counts as found.
func half(p excerpt.Positive, fs []finding.Finding) bool { return 2*covered(p, fs) >= p.Last-p.First+1 }

// Judge computes the outcome of a positive from a scan with the defaults and one with Everything.
func Judge(p excerpt.Positive, def, all *Scan) Outcome {
	o := Outcome{Positive: p, Strength: never}
	near := func(fs []finding.Finding) []finding.Finding { // excludes findings before and after it in the host
		return slices.DeleteFunc(slices.Clone(fs), func(f finding.Finding) bool {
			return !slices.ContainsFunc(f.Runs, func(r finding.Run) bool { return r.EndLine >= p.First && r.StartLine <= p.Last })
		})
	}
	got := near(def.by[p.File])
	o.Found = half(p, got)
	if len(got) > 0 {
		o.best(p, got)
	}
	any := near(all.by[p.File])
	slices.SortStableFunc(any, func(a, b finding.Finding) int { return cmp.Compare(all.strength(b), all.strength(a)) })
	long := slices.DeleteFunc(slices.Clone(any), func(f finding.Finding) bool { return f.Tokens < examine.DefaultMinTokens })
	for i := range long {
		if half(p, long[:i+1]) {
			o.Strength = all.strength(long[i])
			break
		}
	}
	if len(any) > 0 {
		b := any[0]
		o.Bits, o.Support, o.Needed, o.Length = b.Bits, b.Support, all.needed(b), b.Tokens
		o.Got, o.Type = cmp.Or(o.Got, purl.Name(b.Origins[0].PURL)), b.CloneType
	}
	o.Stage = stage(p, o, got, long, any)
	return o
}

// best sets origin and overlap from the finding that covers most.
func (o *Outcome) best(p excerpt.Positive, got []finding.Finding) {
	f := slices.MaxFunc(got, func(a, b finding.Finding) int {
		return cmp.Compare(covered(p, []finding.Finding{a}), covered(p, []finding.Finding{b}))
	})
	o.Got = purl.Name(f.Origins[0].PURL)
	o.Rank = o.Got == p.Origin
	n := covered(p, []finding.Finding{f})
	o.Overlap = float64(n) / float64(p.Last-p.First+1+f.EndLine-f.StartLine+1-n)
}

func stage(p excerpt.Positive, o Outcome, got, long, any []finding.Finding) string {
	switch {
	case o.Found:
		return "found"
	case half(p, long):
		return "below threshold"
	case half(p, any):
		return "short"
	case len(any) > 0:
		return "partly"
	}
	return "nothing"
}

// never is the strength of a positive that is found at no score: JSON has no infinity.
const never = -1e6
