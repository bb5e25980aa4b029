package origindates

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// series is one package with the needles that its versions are searched for.
type series struct {
	key     string
	d       *dater
	places  []place
	needles []*needle
	missing []place // origins whose file no baseline has
	lost    []lost  // origins that cannot be dated
	why     string  // why none of them can be dated

	versions  []*version // versions that can be opened, the oldest first
	withdrawn []*version // versions that their publisher withdrew, which are left out
	from      string     // the source of the list
	limited   string     // why it has only versions of the baselines
	budget    int        // downloads left
	broken    string     // why the registry is not asked any more
	answer    string     // broken, without the address and the words of the registry
	refused   string     // major version whose versions it does not list

	repo    *Repository               // that it is published from, if given
	history *targetdates.WholeHistory // of the repository
	tags    *releases                 // of the history
	unread  string                    // why the repository cannot be read
	oldest  time.Time                 // date of the oldest known version
}

// lost is an origin that cannot be dated.
type lost struct {
	place
	why string
}

func (s *series) noteMissing(p place, why string) { s.lost = append(s.lost, lost{p, why}) }

// add makes a needle of an origin, or adds the origin to an equal needle.
func (s *series) add(p place, f file) {
	finding := &s.d.rep.Findings[p.finding]
	o := finding.Origins[p.origin]
	n := newNeedle(s.key, finding, p.origin, f)
	if n == nil {
		s.noteMissing(p, "its lines hold no tokens")
		return
	}
	var released time.Time
	if o.Released != nil {
		released = *o.Released
	}
	i := slices.IndexFunc(s.needles, func(m *needle) bool { return m.id == n.id })
	if i < 0 {
		n.hi, n.hiTime = o.PURL, released
		n.places = []place{p}
		s.needles = append(s.needles, n)
		return
	}
	n = s.needles[i]
	n.places = append(n.places, p)
	if older(o.PURL, released, n.hi, n.hiTime) {
		n.hi, n.hiTime = o.PURL, released
	}
}

// date dates all needles of a package. It fails only if ctx ends or a baseline is damaged.
func (s *series) date(ctx context.Context, r *reader) error {
	if len(s.missing) > 0 && s.why == "" {
		if err := s.fetchOrigins(ctx, r); err != nil {
			return err
		}
	}
	if err := s.dateByRepository(ctx); err != nil {
		return err
	}
	for _, n := range s.needles {
		s.d.store.load(n)
	}
	open := slices.DeleteFunc(slices.Clone(s.needles), func(n *needle) bool { return n.done || n.past != nil })
	if len(open) == 0 {
		return nil
	}
	if err := s.list(ctx); err != nil {
		return err
	}
	defer s.keep(open)
	if err := s.bisect(ctx, r, open); err != nil {
		return err
	}
	for _, n := range open {
		if err := s.settle(ctx, r, n); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// keep stores the data of needles, settled or not.
func (s *series) keep(needles []*needle) {
	for _, n := range needles {
		s.d.store.save(n)
	}
}

// fetchOrigins reads files that no baseline has from the versions that the report names, and finds them by their checksums.
func (s *series) fetchOrigins(ctx context.Context, r *reader) error {
	by := make(map[string][]place)
	for _, p := range s.missing {
		o := s.d.rep.Findings[p.finding].Origins[p.origin]
		by[o.PURL] = append(by[o.PURL], p)
	}
	names := make([]string, 0, len(by))
	for name := range by {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		files, err := s.filesOf(ctx, r, name, by[name])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, p := range by[name] {
			sum := s.d.rep.Findings[p.finding].Origins[p.origin].SHA256
			if f, ok := files[sum]; ok {
				s.add(p, f)
			} else if err != nil {
				s.noteMissing(p, "its file is in no baseline: "+plainly(err))
			} else {
				s.noteMissing(p, "its file is in no baseline, and not in the version that the registry has")
			}
		}
	}
	return nil
}

// filesOf reads the files of a version that places need, by checksum.
func (s *series) filesOf(ctx context.Context, r *reader, name string, places []place) (map[string]file, error) {
	if !versions.Fetchable(name) {
		return nil, errors.New("no registry can be asked for it; name its baseline with --baseline")
	}
	if s.budget <= 0 {
		return nil, fmt.Errorf("%d downloads are the most for one package", MaxDownloads)
	}
	pkgs, err := source.Open(ctx, name, s.d.o.Source)
	if err != nil {
		return nil, err
	}
	if pkgs[0].Remote() {
		s.budget--
	}
	wanted := make(map[string]bool)
	for _, p := range places {
		wanted[s.d.rep.Findings[p.finding].Origins[p.origin].SHA256] = true
	}
	files := make(map[string]file)
	h := &haystack{r: r}
	err = pkgs[0].Walk(ctx, source.Limits{}, func(path string, data []byte) error {
		sum := sha256.Sum256(data)
		id := hex.EncodeToString(sum[:])
		if !wanted[id] {
			return nil
		}
		return h.take(path, data, func(f file) error {
			files[id] = f
			return nil
		})
	}, nil)
	return files, err
}

// stdKey names the Go standard library.
var stdKey = purl.Series(purl.Golang("std", ""))

// list collects the versions that can be opened.
func (s *series) list(ctx context.Context) error {
	s.from = finding.FromVersions
	if len(s.needles) == 0 {
		return nil
	}
	top := s.needles[0].hi // the highest major version lists all others
	for _, n := range s.needles {
		if purl.CompareVersions(n.hi, top) > 0 {
			top = n.hi
		}
	}
	var err error
	if !versions.Fetchable(top) {
		s.limited = "no registry can be asked for it: only the versions of the baseline were looked at"
	} else {
		var rs []*source.Release
		o := s.d.o.Source
		o.Skipped = func(left source.Skipped) { s.refused = left.Path }
		rs, err = source.Versions(ctx, purl.Name(top), o)
		for _, r := range rs {
			v := fromRegistry(r)
			if r.Withdrawn {
				s.withdrawn = append(s.withdrawn, v)
				continue
			}
			s.versions = append(s.versions, v)
		}
		if s.key == stdKey {
			s.versions = minors(s.versions)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.limited = "only the versions of the baseline were looked at: " + briefly(err)
		s.broken, s.answer = plainly(err), briefly(err)
	}
	held, err := s.d.holdings(s.key)
	if err != nil {
		return err
	}
	if s.limited != "" {
		s.from = finding.FromBaseline
	}
	s.merge(held)
	return nil
}

// merge adds the versions of the baselines, which need no download.
func (s *series) merge(held []*version) {
	for _, h := range held {
		i := slices.IndexFunc(s.versions, func(v *version) bool { return v.purl == h.purl })
		if i < 0 {
			s.versions = append(s.versions, h)
			continue
		}
		s.versions[i].open, s.versions[i].packed = h.open, h.packed
	}
	if slices.ContainsFunc(s.needles, func(n *needle) bool { return purl.Order(n.hi) == "" }) {
		s.versions = slices.DeleteFunc(s.versions, func(v *version) bool { return v.at.IsZero() })
		slices.SortStableFunc(s.versions, func(a, b *version) int { return cmp.Or(a.at.Compare(b.at), strings.Compare(a.purl, b.purl)) })
		return
	}
	s.versions = slices.DeleteFunc(s.versions, func(v *version) bool { return purl.Order(v.purl) == "" })
	slices.SortStableFunc(s.versions, func(a, b *version) int { return purl.CompareVersions(a.purl, b.purl) })
}

// look opens one version and searches it for needles.
func (s *series) look(ctx context.Context, r *reader, i int, about []*needle) error {
	v := s.versions[i]
	walk, remote, err := v.open(ctx)
	if err == nil && remote {
		s.budget--
	}
	var has []amount
	if err == nil {
		has, err = newHaystack(r, about).search(ctx, walk)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.fail(v, err)
		return nil
	}
	at := s.plausible(v.released(ctx))
	for j, n := range about {
		n.seen = append(n.seen, sighting{PURL: v.purl, Present: has[j] == most, Pieces: has[j] == inPieces, Time: at, Packed: v.packed})
	}
	return ctx.Err()
}

// fail notes that a version could not be opened. If the registry itself does not answer, it is not asked again.
func (s *series) fail(v *version, err error) {
	v.gone = plainly(err)
	if f, ok := errors.AsType[*source.FetchError](err); ok && f.Unavailable() {
		s.broken, s.answer = v.gone, briefly(err)
	}
}

// plausible returns a date, or zero if it is not plausible.
func (s *series) plausible(t time.Time) time.Time { return versions.Plausible(t, s.d.o.Now) }

// older orders two versions by their numbers, or by their dates.
func older(a string, at time.Time, b string, bt time.Time) bool {
	return versions.Older(sighting{PURL: a, Time: at}, sighting{PURL: b, Time: bt})
}
