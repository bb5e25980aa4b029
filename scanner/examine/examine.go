package examine

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/describe"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git/ignore"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/self"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// Default values of Options.
const (
	// The guarantee covers runs of 31 tokens (k 20, w 12). A shorter match needs more evidence: see score.Weights.Brief.
	DefaultMinTokens = 31
	// The score of a match that has just enough evidence.
	DefaultMinScore    = score.Enough
	DefaultMaxOrigins  = 10
	DefaultMaxFileSize = 2 << 20
	// A dozen owners may vendor a popular library. Code of 25 owners is common.
	DefaultCommon = 25
)

// Defaults returns the default options.
func Defaults() Options {
	return Options{MinTokens: DefaultMinTokens, MinScore: DefaultMinScore, Common: DefaultCommon, MaxOrigins: DefaultMaxOrigins, MaxFileSize: DefaultMaxFileSize}
}

// Options select the texts that are examined and the matches that become findings. Start with Defaults and change single fields.
type Options struct {
	MinTokens   int           // shortest finding, in matched tokens
	MinScore    float64       // lowest score of a finding, from 0 to 1; a value below the default also lists matches with too little evidence
	Common      int           // a region in packages of this many owners is common
	MaxOrigins  int           // origins listed per finding; all are counted
	MaxFileSize int64         // bytes; larger files go to the ledger, as do files above 2 GiB
	Generated   bool          // scan minified files too, and find short matches in generated ones
	BaseCode    basecode.Set  // code that everybody was given; its tokens are no evidence
	NoSource    bool          // leave the source text of both sides out of the report
	Vendored    bool          // also examine directories that package managers write
	Exclude     []string      // gitignore patterns of paths that are not scanned
	Weighed     func(Weighed) // called with the readings of each finding; workers call it concurrently
}

// Weighed is a finding and the readings behind its score. The evaluation fits weights to them.
type Weighed = describe.Weighed

// Examiner compares the texts of one target with baselines. Safe for concurrent use.
type Examiner struct {
	o        Options
	rules    text.Rules
	exclude  ignore.Patterns
	info     finding.Baseline
	names    func() (map[string]bool, error) // names of all packages of the baselines, computed once
	releases *describe.ReleaseCache
	outdated []baseline.Outdated // documents of the baselines that are not compared
	project  Project
}

// Project is the repository or directory that the texts belong to, and what is kept with findings in it.
type Project struct {
	Self    *self.Packages   // packages that the project is published as; nil if it is not a repository
	Notices *verdict.Notices // nil if it has none
	Traces  bool             // findings get a Trace, by which a history follows them
	Dates   bool             // findings get a Signature, by which they are dated
}

// For returns an examiner of texts of a project.
func (s *Examiner) For(p Project) *Examiner {
	e := *s
	e.project, e.rules.Self = p, p.Self
	return &e
}

// Options returns the options of the examiner.
func (s *Examiner) Options() Options { return s.o }

// Project returns the project that the texts belong to.
func (s *Examiner) Project() Project { return s.project }

// Baselines returns the baselines.
func (s *Examiner) Baselines() []*baseline.Baseline { return s.rules.Baselines }

// Baseline describes all baselines as one.
func (s *Examiner) Baseline() finding.Baseline { return s.info }

// Params returns the parameters of the fingerprints.
func (s *Examiner) Params() fingerprint.Params { return s.rules.Params }

// Outdated returns the documents of the baselines that are not compared, because their tokens are outdated.
func (s *Examiner) Outdated() []baseline.Outdated { return s.outdated }

// Releases returns the versions of a package of the baselines, given its purl.Series.
func (s *Examiner) Releases(key string) (Releases, error) { return s.releases.Of(key) }

// Releases holds the versions of a package in the baselines.
type Releases = describe.Releases

// Excluded reports whether a pattern of Options.Exclude matches a path.
func (s *Examiner) Excluded(path string) bool { return s.exclude.Match(path) }

// Vendored returns the directory of a package manager that contains a path. It returns "" if there is none, if the directory or
// the path was named explicitly, or if vendored directories are examined.
func (s *Examiner) Vendored(path string, named []string) string {
	if s.o.Vendored {
		return ""
	}
	return lang.VendoredIn(path, named)
}

// New returns an examiner for baselines. All baselines must have the same scheme.
func New(bases []*baseline.Baseline, o Options) (*Examiner, error) {
	if len(bases) == 0 {
		return nil, errors.New("no baseline")
	}
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	s := &Examiner{o: o, rules: text.NewRules(bases), releases: describe.NewReleaseCache(bases)}
	r := &s.rules
	r.MinTokens, r.MinScore, r.Common, r.ScanGenerated, r.BaseCode = o.MinTokens, o.MinScore, o.Common, o.Generated, o.BaseCode
	r.Least = min(r.Params.T(), o.MinTokens)
	r.Matching.Least = r.Least
	s.names = sync.OnceValues(s.listNames)
	s.exclude = ignore.Lines(o.Exclude)
	sum := sha256.New()
	for _, b := range bases {
		if b.Scheme() != bases[0].Scheme() {
			return nil, &baseline.SchemeError{Path: b.Path(), Have: b.Scheme(), Want: bases[0].Scheme()}
		}
		if !slices.ContainsFunc(r.Keys, func(k fingerprint.Key) bool { return k.Check() == b.Key().Check() }) {
			r.Keys = append(r.Keys, b.Key())
		}
		m, err := b.Model()
		if err != nil {
			return nil, err
		}
		r.Models = append(r.Models, m)
		in, err := b.Info()
		if err != nil {
			return nil, err
		}
		s.outdated = append(s.outdated, in.Outdated...)
		s.info.Packages += in.Packages
		s.info.Documents += in.Documents
		s.info.Digest = in.Digest
		r.BaselineTokens += in.Tokens
		fmt.Fprintln(sum, in.Digest)
	}
	if len(bases) > 1 {
		s.info.Digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	}
	return s, nil
}

// maxFileSize is the upper limit of MaxFileSize, since positions in a text have 31 bits.
const maxFileSize = math.MaxInt32

// listNames returns the names of all packages of the baselines, in lower case and without their type.
func (s *Examiner) listNames() (map[string]bool, error) {
	known, err := s.Packages()
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool)
	for _, p := range known {
		if name := verdict.FullName(p); name != "" {
			names[name] = true
		}
	}
	return names, nil
}

// Packages lists the package URLs of the baselines.
func (s *Examiner) Packages() ([]string, error) {
	var out []string
	for _, b := range s.rules.Baselines {
		names, err := b.PURLs()
		if err != nil {
			return nil, err
		}
		out = append(out, names...)
	}
	return out, nil
}

// complete checks the options and limits MaxFileSize.
func (o Options) complete() (Options, error) {
	for _, c := range []struct {
		name  string
		wrong bool
	}{
		{"MinTokens", o.MinTokens < 1}, {"MinScore", !(o.MinScore >= 0 && o.MinScore <= 1)}, {"Common", o.Common < 1},
		{"MaxOrigins", o.MaxOrigins < 1}, {"MaxFileSize", o.MaxFileSize < 1},
	} {
		if c.wrong {
			return o, fmt.Errorf("option %s is out of range; begin with Defaults", c.name)
		}
	}
	o.MaxFileSize = min(o.MaxFileSize, maxFileSize)
	return o, nil
}
