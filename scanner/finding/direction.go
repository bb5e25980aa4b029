package finding

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/attribution"
)

// The directions of a finding: which side first had the region.
const (
	DirectionFrom    = "from"
	DirectionTo      = "to"
	DirectionUnknown = "unknown"
)

// Values of Interval.From.
const (
	FromBaseline = "baseline" // versions in the baselines
	FromHistory  = "history"  // the history of a repository
	FromVersions = "versions" // the versions in a registry
	FromLockFile = "lock"     // a lock file in the history of the target
	FromChange   = "change"   // the change that is scanned
)

// Of a region, a side first had these shares at times of their own. Each decides something else:
//
//	half  trace.Half (0.5)   The region's history begins. If it grew on both sides, one side is first only if it had most of the
//	                         region before the other had half of it. Interval.Half has the time.
//	most  trace.Most (0.6)   The side has the region, edited perhaps: at Interval.Present, not yet at Absent.
//	bulk  SameRegion (0.8)   Enough to be the source of the whole region. It is asked of an origin if the target's history begins with
//	                         the region, since both may then have it from a third place. Interval.Bulk has the time.

// Skew is the largest expected difference between the clocks of people who work together.
const Skew = 24 * time.Hour

// NotCommitted is the note for a region that no commit has.
const NotCommitted = "not committed yet"

// NotFollowed is the note for a region of which too little can be found in older contents.
const NotFollowed = "its equal runs are too short to be followed, or their literals differ"

// RepositoryUnread is the note for an origin whose repository was asked for, and could not be read.
const RepositoryUnread = "its repository could not be read"

// SetDirection decides from the dates of a finding which side had the region first, and why. The origin was first if its package had
// the region before the target can have had it. A region that no commit has yet is younger than what the baseline has already. The
// target was first if it had the region while the package still lacked it. Otherwise the direction is unknown. The first origin
// decides. Another origin with most of the region can rule out that the target was first. An origin that names the
// target's repository as its source says itself that the target was first. If it names a third source, both may have the code from
// there.
func SetDirection(f *Finding) {
	f.Direction, f.DirectionReason = DirectionUnknown, ""
	if len(f.Origins) == 0 {
		return
	}
	f.Direction = f.directionByDates(&f.Origins[0])
	reason := f.hereWords() + ", " + f.Origins[0].thereWords()
	if f.SharedHistory() {
		reason = f.sharedWords()
	}
	if _, now := f.earliest(); now && f.FirstBy() == nil {
		reason += ", but in the baseline already"
	}
	if i := slices.IndexFunc(f.Origins, func(o Origin) bool { return o.Similarity >= SameRegion && f.directionByDates(&o) == DirectionFrom }); i > 0 && f.Direction != DirectionFrom {
		f.Direction = DirectionUnknown
		reason += "; " + purl.Name(f.Origins[i].PURL) + " has it " + f.Origins[i].thereTime()
	}
	if line := f.Origins[0].CitesTarget; line > 0 {
		f.Direction = byCitation(f.Direction)
		reason += fmt.Sprintf("; line %d there names this repository", line)
	}
	if third := f.Origins[0].CopiedFrom; third != nil && f.Direction == DirectionFrom {
		f.Direction = DirectionUnknown
		reason += fmt.Sprintf("; both may have it from the source that line %d there names", third.Line)
	}
	f.DirectionReason = reason
}

// byCitation returns the direction if the origin names the target's repository. If the dates contradict that, the direction is
// unknown.
func byCitation(direction string) string {
	if direction == DirectionFrom {
		return DirectionUnknown
	}
	return DirectionTo
}

// directionByDates returns the direction by the dates of a finding and of one of its origins.
func (f *Finding) directionByDates(o *Origin) string {
	first := o.firstSeen()
	if first.Shared {
		return DirectionUnknown
	}
	earliest, now := f.earliest()
	if now { // the baseline has it already
		return DirectionFrom
	}
	if by := first.hadBy(); by != nil && earliest != nil && by.Before(*earliest) && !f.tooLittle(&first, *earliest) {
		return DirectionFrom
	}
	if t, latest := first.lackedUntil(), f.Latest(); !o.vendored() && t != nil && latest != nil && latest.Add(first.margin()).Before(*t) {
		return DirectionTo
	}
	return DirectionUnknown
}

// vendored reports whether the package of the origin keeps the file as code of others. The package lacked it before, but its authors
// had it elsewhere. So such a package never shows that the target was first.
func (o *Origin) vendored() bool { return lang.Vendored(o.Path) || license.ThirdParty(o.Path) }

// FirstBy returns the time by which the first origin had the region, or nil. A target that had it by then did not take it from
// there.
func (f *Finding) FirstBy() *time.Time {
	first := f.Origins[0].firstSeen()
	return first.hadBy()
}

// LackedUntil returns the time up to which the first origin lacked the region. Without one, no date shows that the target was first.
func (f *Finding) LackedUntil() *time.Time {
	o := &f.Origins[0]
	first := o.firstSeen()
	if o.vendored() {
		return nil
	}
	return first.lackedUntil()
}

// hadBy returns the time by which an origin had the region, with the margin for the target's clocks.
func (in *Interval) hadBy() *time.Time {
	t := point(in.Present)
	switch {
	case t == nil:
		return nil
	case in.From == FromLockFile: // the time of a commit, which is before the region's
		return t
	}
	return new(endOfDay(*t).Add(in.margin()))
}

// tooLittle reports whether an origin had too little of a region to be its source when the target's history began with it. The
// target's earlier code is not known, and both sides may have the region from a third place.
func (f *Finding) tooLittle(first *Interval, earliest time.Time) bool {
	if f.Here == nil || f.Here.Absent != nil || first.Bulk == nil {
		return false
	}
	return first.Bulk.Time == nil || !first.Bulk.Time.Add(Skew).Before(earliest)
}

// endOfDay returns the end of the day if only the day of a release is known.
func endOfDay(t time.Time) time.Time {
	if t.Equal(t.UTC().Truncate(24 * time.Hour)) {
		return t.Add(24 * time.Hour)
	}
	return t
}

// margin returns the least difference between dates of commits on both sides that counts.
func (in *Interval) margin() time.Duration {
	if in.From == FromHistory {
		return Skew
	}
	return 0
}

// lackedUntil returns a time up to which the side of the interval had none of the region.
func (in *Interval) lackedUntil() *time.Time {
	t := point(in.Absent)
	if t == nil || in.Written != nil && in.Written.After(*t) {
		t = in.Written
	}
	return in.untilHalf(t)
}

// untilHalf moves a time back to when the side first had half of the region.
func (in *Interval) untilHalf(t *time.Time) *time.Time {
	switch {
	case t == nil || in.Half == nil:
		return t
	case in.Half.Time == nil || in.Half.Time.Before(*t):
		return in.Half.Time
	}
	return t
}

func point(p *Point) *time.Time {
	if p == nil {
		return nil
	}
	return p.Time
}

// SharedHistory reports whether the region came by a commit that the repository of the first origin has too, as in a fork.
func (f *Finding) SharedHistory() bool {
	return len(f.Origins) > 0 && f.Origins[0].First != nil && f.Origins[0].First.Shared
}

// firstSeen returns when the origin's package first had the region, as far as is known: at the latest with the version that was
// found.
func (o *Origin) firstSeen() Interval {
	switch {
	case o.First != nil:
		return *o.First
	case o.Released != nil:
		return Interval{Present: &Point{PURL: o.PURL, Time: o.Released}}
	}
	return Interval{}
}

// earliest returns a time before which the target did not have the region, or nil if none is known. now reports that no commit
// has the region yet. A commit says when it was written. If the commits around contradict that, the bound is the time of its
// parent, which does not have the region.
func (f *Finding) earliest() (t *time.Time, now bool) {
	t, now = f.earliestOfMost()
	if f.Here == nil {
		return t, now
	}
	if t = f.Here.untilHalf(t); f.Here.Half != nil && f.Here.Half.Time == nil {
		now = false
	}
	if e := point(f.Here.OtherHistory); e != nil && (now || t != nil && e.Before(*t)) {
		return e, false
	}
	return t, now
}

// earliestOfMost is like earliest, for most of the region instead of half.
func (f *Finding) earliestOfMost() (t *time.Time, now bool) {
	here, in := f.Here, f.Introduced
	switch {
	case here == nil && in != nil:
		return &in.Time, false
	case here == nil:
		return nil, false
	case in == nil:
		return nil, here.Present == nil && here.Absent != nil
	}
	by := point(here.Present)
	if by != nil && !in.Time.After(*by) {
		return &in.Time, false
	}
	before := point(here.Absent)
	if before != nil && in.Time.Before(*before) {
		return &in.Time, false
	}
	return before, false
}

// Holder returns the author of the commit that introduced the region, if the head of the origin's file names the same person as a
// holder of its copyright: the right to the code came along. It returns "" otherwise. If the origin was first and has several
// holders, the others' part may have been copied. Anyone can write a name into a change that is not merged yet. If it is not certain
// that the same person brought half of the region before, someone else may have.
func (f *Finding) Holder() string {
	if f.Introduced == nil || f.Here == nil || f.Here.From == FromChange || len(f.Origins) == 0 {
		return ""
	}
	holders := f.Origins[0].Holders
	name := personOf(f.Introduced.Author)
	if half := f.Here.Half; half != nil && half.Commit != f.Introduced.Commit && !attribution.SamePerson(name, personOf(half.Author)) {
		return ""
	}
	i := slices.IndexFunc(holders, func(h string) bool { return attribution.SamePerson(name, h) })
	if i < 0 || f.Direction == DirectionFrom && (len(holders) > 1 || attribution.HasOthers(holders[i])) {
		return ""
	}
	return holders[i]
}

// personOf returns the name of an author, without the address.
func personOf(author string) string {
	name, _, _ := strings.Cut(author, "<")
	return name
}

// Latest returns a time at which the target certainly had the region.
func (f *Finding) Latest() *time.Time {
	switch {
	case f.Here != nil:
		return point(f.Here.Present)
	case f.Introduced != nil:
		return &f.Introduced.Time
	}
	return nil
}

// EntryCommit returns the commit that introduced the region into the target, or "".
func (f *Finding) EntryCommit() string {
	switch {
	case f.Introduced != nil:
		return f.Introduced.Commit
	case f.Here != nil && f.Here.Present != nil:
		return f.Here.Present.Commit
	}
	return ""
}

// UTC returns a pointer to a time in UTC, as reports use it.
func UTC(t time.Time) *time.Time {
	t = t.UTC()
	return &t
}
