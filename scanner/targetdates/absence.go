package targetdates

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// maxAbsent limits the versions of an origin that are read to find one without a region.
const maxAbsent = 16

// absentBy reports whether the target is first only because the baseline has an origin version without a match.
func absentBy(f *finding.Finding) bool {
	if f.Direction != finding.DirectionTo {
		return false
	}
	first := f.Origins[0].First
	return first != nil && first.Absent != nil && first.From == finding.FromBaseline
}

// Directions sets the directions of a report. A version without a match may still have part of a region. So if such a version
// makes the target first, the version is read.
func Directions(ctx context.Context, s *examine.Examiner, fs []*finding.Finding) error {
	by := map[string][]*finding.Finding{}
	for _, f := range fs {
		if finding.SetDirection(f); absentBy(f) {
			key := purl.Series(f.Origins[0].PURL)
			by[key] = append(by[key], f)
		}
	}
	if len(by) == 0 {
		return nil
	}
	docs, err := contentsOf(s, by)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(by)) {
		all, err := s.Releases(key)
		if err != nil {
			return err
		}
		l := &absences{s: s, docs: docs, all: all, shares: map[store.Hash][]float64{}}
		if err := l.prove(ctx, by[key]); err != nil {
			return err
		}
	}
	return nil
}

// content is a document of a baseline.
type content struct {
	base *baseline.Baseline
	hash store.Hash
}

// contentsOf lists the contents of the versions of some packages.
func contentsOf(s *examine.Examiner, series map[string][]*finding.Finding) (map[string][]content, error) {
	out := map[string][]content{}
	for _, b := range s.Baselines() {
		wanted := func(p baseline.Package) bool { return len(series[purl.Series(p.PURL)]) > 0 && versions.Whole(p) }
		err := b.Contents(slices.Collect(maps.Keys(series)), wanted, func(p baseline.Package, _ string, h store.Hash) {
			out[p.PURL] = append(out[p.PURL], content{b, h})
		})
		if err != nil {
			return nil, err
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b content) int { return slices.Compare(a.hash[:], b.hash[:]) })
	}
	return out, nil
}

// absences searches the versions of one package for the tokens that its findings share with it.
type absences struct {
	s        *examine.Examiner
	docs     map[string][]content
	all      examine.Releases
	known    *trace.Set
	families map[string]bool
	shares   map[store.Hash][]float64 // by document: the share of each finding
}

// prove corrects which versions lack the regions of findings, and sets the directions of the findings again.
func (l *absences) prove(ctx context.Context, fs []*finding.Finding) error {
	l.families = map[string]bool{}
	var sigs []*trace.Signature
	for _, f := range fs {
		sig, err := originOf(l.s, f, l.families)
		if err != nil {
			return err
		}
		sigs = append(sigs, sig)
	}
	l.known = trace.NewSet(sigs)
	for i, f := range fs {
		in := ownFirst(f)
		if err := l.lowerBound(ctx, i, f, in); err != nil {
			return err
		}
		finding.SetDirection(f)
	}
	return nil
}

// ownFirst gives a finding an interval of its own for the package of its first origin, because findings of other contents may
// share the old one.
func ownFirst(f *finding.Finding) *finding.Interval {
	was := f.Origins[0].First
	in := *was
	f.Origins = slices.Clone(f.Origins)
	for i := range f.Origins {
		if f.Origins[i].First == was {
			f.Origins[i].First = &in
		}
	}
	return &in
}

// lowerBound moves the lower bound of an interval down to a version that lacks the region, or removes it. A version with part of the
// region may or may not have had it, so it bounds nothing.
func (l *absences) lowerBound(ctx context.Context, at int, f *finding.Finding, in *finding.Interval) error {
	newest := versions.Sighting{PURL: in.Absent.PURL, Time: *in.Absent.Time}
	lower := l.upTo(newest)
	in.Absent, in.Note = nil, join(in.Note, "older versions have part of it")
	for i, v := range lower {
		if i == maxAbsent {
			in.Note = join(in.Note, fmt.Sprintf("not more than %d older versions were looked into", maxAbsent))
			return nil
		}
		has, err := l.has(ctx, at, v.PURL)
		switch {
		case err != nil:
			return err
		case !has && !v.Time.IsZero() && v.Time.Before(*in.Present.Time):
			in.Absent = &finding.Point{PURL: v.PURL, Time: finding.UTC(v.Time)}
			if i == 0 {
				in.Note = ""
			}
			return l.checkReturn(ctx, at, f, in, lower[i+1:])
		}
	}
	return nil
}

// upTo lists a version and the older ones, the newest first.
func (l *absences) upTo(newest versions.Sighting) (out []versions.Sighting) {
	for _, v := range l.all.Whole {
		if t, ok := l.all.Released[v.PURL]; ok {
			v.Time = t
		}
		if v.PURL == newest.PURL || versions.Older(v, newest) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b versions.Sighting) int {
		switch {
		case versions.Older(b, a):
			return -1
		case versions.Older(a, b):
			return 1
		}
		return 0
	})
	return out
}

// checkReturn reads the newest version that is older than the region in the target. If that version has part of the region, the region
// left the package and came back: then the interval has no lower bound.
func (l *absences) checkReturn(ctx context.Context, at int, f *finding.Finding, in *finding.Interval, lower []versions.Sighting) error {
	here := f.Latest()
	i := slices.IndexFunc(lower, func(v versions.Sighting) bool { return here != nil && !v.Time.IsZero() && !v.Time.After(*here) })
	if i < 0 {
		return nil
	}
	has, err := l.has(ctx, at, lower[i].PURL)
	if has {
		in.Absent, in.Note = nil, join(in.Note, purl.Version(lower[i].PURL)+" had part of it before")
	}
	return err
}

// has reports whether a version has part of the tokens that a finding shares with its origin.
func (l *absences) has(ctx context.Context, at int, version string) (bool, error) {
	for _, c := range l.docs[version] {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		shares, ok := l.shares[c.hash]
		if !ok {
			var err error
			if shares, err = l.measure(c); err != nil {
				return false, err
			}
			l.shares[c.hash] = shares
		}
		if shares != nil && shares[at] >= trace.Part {
			return true, nil
		}
	}
	return false, nil
}

// measure returns which share of each finding a document has; nil if it has none.
func (l *absences) measure(c content) ([]float64, error) {
	d, ok, err := c.base.Find(c.hash)
	if err != nil || !ok {
		return nil, err
	}
	if language := lang.ByName(d.Language); language == nil || !l.families[language.Family] && language != lang.Words() {
		return nil, nil
	}
	toks, _, err := c.base.Tokens(d)
	if err != nil {
		return nil, err
	}
	text, err := c.base.Text(d)
	if err != nil {
		return nil, err
	}
	return l.known.Shares(text, toks), nil
}

// originOf returns the signature of a finding's runs, read from the file of its first origin.
func originOf(s *examine.Examiner, f *finding.Finding, families map[string]bool) (*trace.Signature, error) {
	sig := &trace.Signature{}
	raw, err := hex.DecodeString(f.Origins[0].SHA256)
	if err != nil || len(raw) != len(store.Hash{}) {
		return sig, nil
	}
	for _, b := range s.Baselines() {
		d, ok, err := b.Find(store.Hash(raw))
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		toks, _, err := b.Tokens(d)
		if err != nil {
			return nil, err
		}
		text, err := b.Text(d)
		if err != nil {
			return nil, err
		}
		if language := lang.ByName(d.Language); language != nil {
			families[language.Family] = true
		}
		if sig.Comments = f.Documentation && d.Language != lang.Words().Name; sig.Comments {
			toks = lang.CommentWords(text, toks)
		}
		takeOrigin(sig, f, match.Side{Text: text, Tokens: toks})
		return sig, nil
	}
	return sig, nil
}

// takeOrigin adds the runs of a finding, read from the file of its origin.
func takeOrigin(s *trace.Signature, f *finding.Finding, side match.Side) {
	lines := finding.LineStarts(side.Text)
	for _, r := range f.Runs {
		from := finding.Offset(side.Text, lines, r.OriginStartLine, r.OriginStartColumn)
		to := finding.Offset(side.Text, lines, r.OriginEndLine, r.OriginEndColumn)
		first := slices.IndexFunc(side.Tokens, func(t lang.Token) bool { return int(t.Start) >= from })
		if first < 0 {
			continue
		}
		last := first
		for last < len(side.Tokens) && int(side.Tokens[last].End) <= to {
			last++
		}
		s.Add(s.Side(side.Text, side.Tokens[first:last]))
	}
}
