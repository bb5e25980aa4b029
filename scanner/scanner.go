// Package scanner is the stage that turns targets into findings. Files and
// blobs of package git flow in; each is tokenised, winnowed, looked up in the
// baselines, its candidates proved by package match, and what is proved is
// gathered to one finding per region with all its origins. Out flows a Report.
//
// The worker pool of the program is here (pool.go), and only here.
package scanner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/git/ignore"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/self"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// Defaults of Options.
const (
	// Of the strongest accidents of 50 tokens and more a third has fewer than 55,
	// and 54 is the most that two neighbouring fingerprints can reach (k 20, w 12).
	DefaultMinTokens = 55
	// At 0.9 a heap.Interface in k8s.io/apimachinery was taken for one of the
	// standard library: the one false finding in forty against its dependencies.
	DefaultMinScore    = 0.95
	DefaultMaxOrigins  = 10
	DefaultMaxFileSize = 2 << 20
	// A popular library is vendored by a dozen owners; what twice as many have
	// is nobody's any more.
	DefaultCommon = 25
)

// Defaults are the options to begin with.
func Defaults() Options {
	return Options{MinTokens: DefaultMinTokens, MinScore: DefaultMinScore, Common: DefaultCommon, MaxOrigins: DefaultMaxOrigins, MaxFileSize: DefaultMaxFileSize}
}

// Options says how to scan: Defaults, changed where something else is wanted.
type Options struct {
	Workers     int     // 0 means one for each CPU
	MinTokens   int     // shortest finding, in matched tokens
	MinScore    float64 // lowest score of a finding, from 0 to 1
	Common      int     // a region in packages of so many owners is common
	MaxOrigins  int     // origins listed per finding; all are counted
	MaxFileSize int64   // bytes; larger files go to the ledger, as do files above 2 GiB
	Limits      lang.Limits
	Generated   bool       // scan generated files too
	Vendored    bool       // scan what package managers keep, too
	Sanctioned  Sanctioned // masked, see ReadSanctioned
	NoSource    bool       // leave the source text of both sides out of the report
	Exclude     []string   // gitignore patterns of paths that are not scanned
	Cache       string     // directory in which histories keep what contents came to; "" for none
	Version     string     // of the tool, for the report
	Config      string     // path in the target of the file that decides what is reported, if it has one
	Progress    func(done, total int)
	Weighed     func(Weighed) // is told of each finding as it was weighed; called by all workers at once
}

// Scanner scans targets against baselines. Safe for concurrent use.
type Scanner struct {
	bases   []*baseline.Baseline
	o       Options
	params  fingerprint.Params
	match   match.Params
	exclude ignore.Patterns
	weights *score.Weights
	info    Baseline
	tokens  uint64 // of all baselines
	docs    *docCache
	models  []*model.Model
	self    *self.Packages                  // what the target is published as; nil for what is no repository
	traces  bool                            // findings get what a history follows them by
	dates   bool                            // findings get what they are dated by
	notices *verdict.Notices                // of the target; nil when it has none
	names   func() (map[string]bool, error) // of all packages of the baselines, worked out once
	// releases are the versions of each package, worked out once
	releases func() (map[string]releases, error)
	outdated []Entry // what of the baselines is not compared with
}

// New prepares a scan against baselines, which must agree in their parameters.
func New(bases []*baseline.Baseline, o Options) (*Scanner, error) {
	if len(bases) == 0 {
		return nil, errors.New("scan: no baseline")
	}
	o, err := o.complete()
	if err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	s := &Scanner{bases: bases, o: o, params: bases[0].Params(), docs: newDocCache(docCacheBytes), weights: score.Standing()}
	s.match = match.Defaults(s.params.K)
	s.match.Least = s.o.MinTokens
	s.names = sync.OnceValues(s.listNames)
	s.releases = sync.OnceValues(s.listReleases)
	s.exclude = ignore.Lines(o.Exclude)
	sum := sha256.New()
	var outdated []baseline.Outdated
	for _, b := range bases {
		if b.Scheme() != bases[0].Scheme() {
			return nil, &baseline.SchemeError{Path: b.Path(), Have: b.Scheme(), Want: bases[0].Scheme()}
		}
		m, err := b.Model()
		if err != nil {
			return nil, err
		}
		s.models = append(s.models, m)
		in, err := b.Info()
		if err != nil {
			return nil, err
		}
		outdated = append(outdated, in.Outdated...)
		s.info.Packages += in.Packages
		s.info.Documents += in.Documents
		s.info.Digest = in.Digest
		s.tokens += in.Tokens
		fmt.Fprintln(sum, in.Digest)
	}
	s.outdated = outdatedEntries(outdated)
	if len(bases) > 1 {
		s.info.Digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	}
	return s, nil
}

// maxFileSize is the largest MaxFileSize that is obeyed: positions in a text have
// 31 bits.
const maxFileSize = math.MaxInt32

// complete checks the options and fills in what depends on the machine.
func (o Options) complete() (Options, error) {
	for _, c := range []struct {
		name  string
		wrong bool
	}{
		{"MinTokens", o.MinTokens < 1}, {"MinScore", !(o.MinScore >= 0 && o.MinScore <= 1)}, {"Common", o.Common < 1},
		{"MaxOrigins", o.MaxOrigins < 1}, {"MaxFileSize", o.MaxFileSize < 1}, {"Workers", o.Workers < 0},
	} {
		if c.wrong {
			return o, fmt.Errorf("option %s is out of range; begin with Defaults", c.name)
		}
	}
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.MaxFileSize = min(o.MaxFileSize, maxFileSize)
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	return o, nil
}

// report starts an empty report of a target.
func (s *Scanner) report(t Target) *draft {
	return &draft{Report: &Report{
		Schema: Schema, Tool: Tool{Version: s.o.Version}, Baseline: s.info, Target: t,
		Parameters: Parameters{K: s.params.K, W: s.params.W, T: s.params.T(), Scheme: s.bases[0].Scheme(), MinTokens: s.o.MinTokens, MinScore: s.o.MinScore},
		Findings:   []Finding{}, Suppressions: []Suppression{}, Ledger: append([]Entry{}, s.outdated...),
	}}
}

// score says how sure it is that a match of so many bits is no accident.
func (s *Scanner) score(bits float64, targetTokens int) float64 {
	return s.weights.Score(bits, s.tokens, targetTokens)
}

// needed are the bits from which on MinScore is reached.
func (s *Scanner) needed(targetTokens int) float64 {
	return s.weights.Needed(s.o.MinScore, s.tokens, targetTokens)
}

// common is what is common in the baselines, or anywhere: a small baseline knows
// little of its languages.
func (s *Scanner) common(family string) model.Common {
	c := model.Common{model.Prior().Of(family), model.API().Of(family)}
	for _, m := range s.models {
		c = append(c, m.Of(family))
	}
	return c
}

// round keeps three decimals, so that reports are short and equal on every machine.
func round(x float64) float64 { return math.Round(x*1000) / 1000 }

// Snippet scans a piece of source of a named language.
func (s *Scanner) Snippet(ctx context.Context, src []byte, language string) (*Report, error) {
	l := lang.ByName(language)
	if l == nil {
		return nil, fmt.Errorf("scan snippet: unknown language %q", language)
	}
	r := s.report(Target{Kind: "snippet"})
	w := s.newWorker()
	defer w.close()
	out, err := w.examine(ctx, input{path: "-", language: l}, src)
	if err != nil {
		return nil, err
	}
	r.take(out)
	for i := range r.found {
		Direct(&r.found[i].Finding)
	}
	return r.finish(), nil
}
