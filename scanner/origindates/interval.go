package origindates

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/versions"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// settle makes the interval of a needle from its sightings.
func (s *series) settle(ctx context.Context, r *reader, n *needle) error {
	if err := s.backport(ctx, r, n); err != nil {
		return err
	}
	if err := s.dateable(ctx, r, n); err != nil {
		return err
	}
	seen := s.sightings(ctx, n)
	var all []sighting
	for _, v := range s.versions {
		all = append(all, sighting{PURL: v.purl, Time: s.plausible(v.at), Packed: v.packed})
	}
	dates := versions.DatesOf(append(all, seen...))
	dates.Complete = true
	present, absent, late := versions.Since(seen, dates)
	n.settled = &finding.Interval{Absent: pointOf(absent), Present: pointOf(present), From: s.from}
	notes := s.notes(n, present, absent, late)
	if _, packed := dates.Released[present.PURL]; dates.Copies && packed {
		notes = append(notes, "dated by the files in its archives: the registry dates copies")
	}
	n.settled.Note = strings.Join(notes, "; ")
	if absent.PURL == "" {
		n.why = cmp.Or(s.broken, s.limited)
	}
	n.done = s.limited == "" && s.broken == ""
	return nil
}

func pointOf(o sighting) *finding.Point {
	if o.PURL == "" {
		return nil
	}
	p := &finding.Point{PURL: o.PURL}
	if !o.Time.IsZero() {
		p.Time = new(o.Time)
	}
	return p
}

// dated sets the dates of a version that was searched in an earlier run, or that only the report names.
func (s *series) dated(ctx context.Context, o sighting) sighting {
	i := s.index(o.PURL)
	if i < 0 {
		return o
	}
	if o.Time.IsZero() {
		o.Time = s.plausible(s.versions[i].released(ctx))
	}
	if o.Packed.IsZero() {
		o.Packed = s.versions[i].packed
	}
	return o
}

func (s *series) index(name string) int {
	return slices.IndexFunc(s.versions, func(v *version) bool { return v.purl == name })
}

// sightings lists the searched versions and the version of the report, with their dates.
func (s *series) sightings(ctx context.Context, n *needle) []sighting {
	out := []sighting{s.dated(ctx, sighting{PURL: n.hi, Present: true, Time: s.plausible(n.hiTime)})}
	for _, o := range n.seen {
		out = append(out, s.dated(ctx, o))
	}
	return out
}

// lowestPresent returns the lowest version known to have the needle.
func (n *needle) lowestPresent() sighting {
	first := sighting{PURL: n.hi, Present: true, Time: n.hiTime}
	for _, o := range n.seen {
		if o.Present && older(o.PURL, o.Time, first.PURL, first.Time) {
			first = o
		}
	}
	return first
}

// maxUndated limits the versions searched above one without a date.
const maxUndated = 2

// dateable searches a later version, if the lowest one that has the needle has no plausible date and so bounds nothing.
func (s *series) dateable(ctx context.Context, r *reader, n *needle) error {
	at := s.index(n.lowestPresent().PURL)
	if at < 0 || !s.plausible(s.versions[at].released(ctx)).IsZero() {
		return nil
	}
	for i := at + 1; i < min(at+1+maxUndated, len(s.versions)) && s.budget > 0; i++ {
		v := s.versions[i]
		if !older(v.purl, v.at, n.hi, n.hiTime) {
			return nil
		}
		if v.gone != "" || s.plausible(v.released(ctx)).IsZero() || n.sawIn(v.purl) {
			continue
		}
		return s.look(ctx, r, i, []*needle{n})
	}
	return nil
}

func (n *needle) sawIn(name string) bool {
	return slices.ContainsFunc(n.seen, func(o sighting) bool { return o.PURL == name })
}

// backport searches the next minor version, if the oldest one that has the needle is a patch of an older line. The patch may be
// the younger of the two.
func (s *series) backport(ctx context.Context, r *reader, n *needle) error {
	first := n.lowestPresent()
	v := purl.Order(first.PURL)
	if v == "" || strings.HasSuffix(semver.Canonical(v), ".0") {
		return nil
	}
	j := slices.IndexFunc(s.versions, func(w *version) bool {
		o := purl.Order(w.purl)
		return semver.Compare(o, v) > 0 && semver.MajorMinor(o) != semver.MajorMinor(v) && semver.Prerelease(o) == ""
	})
	if j < 0 || s.budget <= 0 || s.versions[j].gone != "" || !older(s.versions[j].purl, s.versions[j].at, n.hi, n.hiTime) ||
		n.sawIn(s.versions[j].purl) {
		return nil
	}
	at := s.plausible(s.versions[j].released(ctx))
	if at.IsZero() || !at.Before(s.dated(ctx, first).Time) {
		return nil
	}
	return s.look(ctx, r, j, []*needle{n})
}

const noOlder = "no older version is listed"

// unlisted says why no older version is known of a module that was found at a version without a tag.
func (n *needle) unlisted() string {
	if n.settled == nil || n.settled.Absent != nil || !strings.Contains(n.settled.Note, noOlder) || !module.IsPseudoVersion(purl.Version(n.hi)) {
		return ""
	}
	return "it was found at a commit without a tag, and no registry lists those; the history of its repository tells (--origin-repo, --clone)"
}

// notes lists the facts that widen the interval.
func (s *series) notes(n *needle, present, absent, late sighting) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	below := s.below(n)
	open, gone := s.between(n), s.gone(n)
	if s.unread != "" {
		say("%s", finding.RepositoryUnread)
	}
	switch {
	case s.limited != "":
		say("%s", s.limited)
	case s.broken != "":
		say("not all versions could be fetched: %s", s.answer)
	}
	pieces := n.oldestPieces(present)
	if absent.PURL == "" && late.PURL == "" && s.limited == "" && len(open) == 0 && pieces == "" {
		if len(below) == 0 {
			say("%s", noOlder)
		} else {
			say("the oldest version that can be read has it already")
		}
	}
	if pieces != "" {
		say("%s has part of it", purl.Version(pieces))
	}
	if len(open) > 0 {
		say("%s between not looked at", versionCount(len(open)))
	}
	if s.refused != "" {
		say("the versions of %s could not be listed", s.refused)
	}
	if left := s.leftOut(present, absent); len(left) > 0 {
		say("%s left out, which %s withdrawn: %s", versionCount(len(left)), finding.Was(len(left)), purl.Version(left[0]))
	}
	if len(gone) > 0 {
		say("%s could not be read, %s among them", versionCount(len(gone)), purl.Version(gone[0]))
	}
	switch {
	case late.PURL == "":
	case !late.Time.IsZero() && late.Time.Before(present.Time):
		say("%s is of a lower release line, which went on beside", purl.Version(late.PURL))
	default:
		say("%s has a lower number, but not an earlier date", purl.Version(late.PURL))
	}
	if present.Time.IsZero() {
		say("no date is known of a version that has it")
	} else if low := n.lowestPresent(); low.Time.IsZero() && low.PURL != present.PURL {
		say("%s has it, but no date that can be right", purl.Version(low.PURL))
	}
	if back := s.cameBack(n, present); back != "" {
		say("%s has not got it, so that it left and came back", purl.Version(back))
	}
	return out
}

// oldestPieces returns the oldest version that has the needle in pieces and is older than another version, or "".
func (n *needle) oldestPieces(than sighting) string {
	var oldest sighting
	for _, o := range n.seen {
		if o.Pieces && older(o.PURL, o.Time, than.PURL, than.Time) && (oldest.PURL == "" || older(o.PURL, o.Time, oldest.PURL, oldest.Time)) {
			oldest = o
		}
	}
	return oldest.PURL
}

func versionCount(n int) string {
	if n == 1 {
		return "1 version"
	}
	return fmt.Sprintf("%d versions", n)
}

// gone lists unreadable versions below the one known to have the needle.
func (s *series) gone(n *needle) (out []string) {
	for _, v := range s.versions {
		if v.gone != "" && older(v.purl, v.at, n.hi, n.hiTime) {
			out = append(out, v.purl)
		}
	}
	return out
}

// leftOut lists the withdrawn versions that no baseline has, between the newest version without the region and the oldest with it.
func (s *series) leftOut(present, absent sighting) (out []string) {
	for _, v := range s.withdrawn {
		if s.index(v.purl) < 0 && older(v.purl, v.at, present.PURL, present.Time) && (absent.PURL == "" || older(absent.PURL, absent.Time, v.purl, v.at)) {
			out = append(out, v.purl)
		}
	}
	return out
}

// cameBack returns a version without the needle that is later than one that has it, or "".
func (s *series) cameBack(n *needle, present sighting) string {
	for _, o := range n.seen {
		if !o.Present && !o.Pieces && o.PURL != present.PURL && older(present.PURL, present.Time, o.PURL, o.Time) {
			return o.PURL
		}
	}
	return ""
}

// interval returns the interval of an origin that has the needle.
func (s *series) interval(n *needle, f *finding.Finding, o finding.Origin) *finding.Interval {
	switch {
	case n.past != nil:
		return s.datedBy(n, f, o)
	case n.settled == nil:
		return known(o)
	}
	i := *n.settled
	return &i
}

// covers reports whether a stored interval reaches as far back as the version known to have the needle.
func (n *needle) covers(i *finding.Interval) bool {
	if i == nil || i.Present == nil {
		return false
	}
	var at time.Time
	if i.Present.Time != nil {
		at = *i.Present.Time
	}
	return !older(n.hi, n.hiTime, i.Present.PURL, at)
}
