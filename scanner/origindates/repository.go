package origindates

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
)

// Repository is the git repository of one or more packages.
type Repository struct {
	Name string // in messages
	Repo *git.Repo
	Of   func(name string) bool // whether a package is published from it
}

// byRepository is the result of searching a repository for a needle. It is stored.
type byRepository struct {
	Head     string            `json:"head"`           // of the repository at that time
	Interval *finding.Interval `json:"interval"`       // nil: its history does not have the needle
	Root     bool              `json:"root,omitempty"` // its history begins with the region
}

// repository returns the given repository that a package is published from, or nil.
func (d *dater) repository(s *series) *Repository {
	for i := range d.o.Repositories {
		r := &d.o.Repositories[i]
		if slices.ContainsFunc(s.places, func(p place) bool { return r.Of(d.rep.Findings[p.finding].Origins[p.origin].PURL) }) {
			return r
		}
	}
	return nil
}

// dateByRepository dates needles by the repository of the package, or by the stored result of an earlier run.
func (s *series) dateByRepository(ctx context.Context) error {
	r := s.repo
	head := ""
	if r != nil {
		if c, err := r.Repo.Resolve(ctx, "HEAD"); err == nil {
			head = c.Name
		}
	}
	open := s.recallPast(head)
	var err error
	if s.oldest, err = s.eldest(); err != nil {
		return err
	}
	if r == nil && len(open) > 0 && s.d.o.Clone != nil && !s.d.o.Source.Offline && s.why == "" {
		r, head, err = s.clone(ctx)
	}
	if r == nil && err == nil {
		return nil
	}
	var h *targetdates.WholeHistory
	if err == nil {
		h, err = s.read(ctx, r)
	}
	if err == nil && len(open) > 0 {
		err = s.searchHistory(ctx, h, open, head)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.noteUnread(r, err)
		return nil
	}
	s.history = h
	return nil
}

// recallPast gives the needles the stored results of earlier runs. It returns the needles without one, and those whose result is of
// another head than the given one.
func (s *series) recallPast(head string) (open []*needle) {
	for _, n := range s.needles {
		n.renamed = n.targetNames(s.d.rep)
		p, ok := s.d.store.past(n)
		switch {
		case !ok || s.repo != nil && p.Head != head:
			open = append(open, n)
		case p.Interval != nil:
			n.past = p
		}
	}
	return open
}

// noteUnread records why the repository of the package cannot be read; r is nil if there is no clone of it.
func (s *series) noteUnread(r *Repository, err error) {
	msg, _, _ := strings.Cut(err.Error(), "\n")
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	s.unread = "its repository cannot be read: " + msg
	if r != nil {
		s.unread = fmt.Sprintf("the repository %q cannot be read: %s", r.Name, msg)
	}
}

// read reads the commits of a repository.
func (s *series) read(ctx context.Context, r *Repository) (*targetdates.WholeHistory, error) {
	tags, _, err := r.Repo.Tags(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range tags {
		names = append(names, t.Name)
	}
	s.tags = releasesOf(s.firstOrigin().PURL, names)
	return targetdates.OfOrigin(ctx, r.Repo, func(tag string) bool { return s.tags.version(tag) != "" }, s.d.o.Now)
}

// firstOrigin returns the first origin of the package in the report.
func (s *series) firstOrigin() *finding.Origin {
	p := s.places[0]
	return &s.d.rep.Findings[p.finding].Origins[p.origin]
}

// searchHistory searches a history for needles, one language family at a time.
func (s *series) searchHistory(ctx context.Context, h *targetdates.WholeHistory, needles []*needle, head string) error {
	by := map[string][]*needle{}
	for _, n := range needles {
		by[n.lang.Family] = append(by[n.lang.Family], n)
	}
	for _, family := range slices.Sorted(maps.Keys(by)) {
		var wanted []*targetdates.Needle
		for _, n := range by[family] {
			wanted = append(wanted, n.inHistory())
		}
		firsts, err := h.Find(ctx, wanted)
		if err != nil {
			return err
		}
		for i, n := range by[family] {
			p := &byRepository{Head: head, Interval: firsts[i].Interval, Root: firsts[i].Root}
			if firsts[i].Tag != "" {
				p.Interval.Present.PURL = s.tags.purl(firsts[i].Tag)
			}
			s.d.store.keepPast(n, p)
			if p.Interval != nil {
				n.past = p
			}
		}
	}
	return nil
}

// inHistory returns the needle in the form that a history is searched for: with the names of the origin, and with those of the
// target.
func (n *needle) inHistory() *targetdates.Needle {
	return targetdates.NewNeedle(n.path, n.lang, n.side, n.wanted, n.renamed)
}

// targetNames returns the renames of the finding in which the needle is the first origin.
func (n *needle) targetNames(rep *finding.Report) map[string]string {
	i := slices.IndexFunc(n.places, func(p place) bool { return p.origin == 0 })
	if i < 0 {
		return nil
	}
	return renames(&rep.Findings[n.places[i].finding])
}

// renames maps the names of the first origin to the target's names.
func renames(f *finding.Finding) map[string]string {
	out := map[string]string{}
	for _, r := range f.Renames {
		if r.Origin != r.Target {
			out[finding.UnescapeName(r.Origin)] = finding.UnescapeName(r.Target)
		}
	}
	return out
}

// pastID names the stored result of a history.
func (n *needle) pastID() string { return n.idWith("past4", n.renamed) }

// idWith returns a hash of a needle, of the names that a copy uses instead of its own, and more.
func (n *needle) idWith(kind string, renamed map[string]string, more ...string) string {
	h := sha256.New()
	h.Write([]byte(kind + "\x00" + n.id))
	for _, from := range slices.Sorted(maps.Keys(renamed)) {
		h.Write([]byte("\x00" + from + "\x00" + renamed[from]))
	}
	for _, m := range more {
		h.Write([]byte("\x00\x00" + m))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// datedBy returns the interval of an origin by the history of its repository, compared with its known versions. If a version with
// the region was released before the history has it, the history is incomplete.
func (s *series) datedBy(n *needle, f *finding.Finding, o finding.Origin) *finding.Interval {
	in := *n.past.Interval
	release := known(o)
	if o.First != nil && o.First.From != finding.FromHistory && o.First.Present != nil {
		release = o.First
	}
	at := timeOf(release.Present)
	if begin := timeOf(&finding.Point{Time: in.Written}); !at.IsZero() && (begin.IsZero() || at.Before(begin.Add(-oneDay))) {
		if present := timeOf(in.Present); present.IsZero() || at.Before(present) {
			in.Present = release.Present
		}
		if !begin.IsZero() {
			in.Absent, in.Written, in.Note = nil, nil, "a version with it was released before the repository had it"
		}
	} else if n.past.Root && !s.oldest.IsZero() && s.oldest.Before(begin.Add(-oneDay)) {
		in.Written, in.Note = nil, "the package is older than the history of its repository"
	}
	in.Shared = s.shared(f, &in)
	return &in
}

// oneDay is the largest difference between dates of one event.
const oneDay = 24 * time.Hour

// shared reports whether the commit that brought the region into the target is also in the origin's repository. Then it is unknown
// which side made it.
func (s *series) shared(f *finding.Finding, in *finding.Interval) bool {
	commit := f.EntryCommit()
	return commit != "" && (in.Present.Commit == commit || s.history != nil && s.history.Has(commit))
}

func timeOf(p *finding.Point) time.Time {
	if p == nil || p.Time == nil {
		return time.Time{}
	}
	return *p.Time
}

// eldest returns the date of the oldest version of the package in the baselines.
func (s *series) eldest() (time.Time, error) {
	var first time.Time
	for _, b := range s.d.o.Baselines {
		pkgs, err := b.PackagesOf(s.key)
		if err != nil {
			return first, err
		}
		for _, p := range pkgs {
			if at := s.plausible(p.Released); !at.IsZero() && (first.IsZero() || at.Before(first)) && purl.Series(p.PURL) == s.key {
				first = at
			}
		}
	}
	return first, nil
}
