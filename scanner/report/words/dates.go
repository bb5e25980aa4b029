package words

import (
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
)

// The kinds of a dated point: the region is not there yet, is there, or changed.
const (
	PointAbsent  = "absent"
	PointPresent = "present"
	pointLater   = "later"
	PointLeft    = "left"
)

// Dated is a point on the timeline of one side. Its words are escaped.
type Dated struct {
	Time  *time.Time // nil if unknown
	Kind  string
	Words string
}

// HereDates returns the points of the target's side, in the order of their dates.
func HereDates(f *finding.Finding) []Dated {
	var out []Dated
	here, in := f.Here, f.Introduced
	if here != nil && here.Absent != nil {
		out = append(out, Dated{here.Absent.Time, PointAbsent, "absent from " + commitWords(here.Absent.Commit)})
	}
	if here != nil && here.Half != nil && here.Half.Commit != "" && in != nil && here.Half.Commit != in.Commit {
		out = append(out, Dated{here.Half.Time, PointAbsent, "half of it in " + commitWords(here.Half.Commit)})
	}
	if here != nil && here.OtherHistory != nil {
		out = append(out, Dated{here.OtherHistory.Time, PointAbsent, "in another history of this repository, by " + commitWords(here.OtherHistory.Commit)})
	}
	if in != nil {
		out = append(out, Dated{&in.Time, PointPresent, "introduced by " + commitWords(in.Commit) + " of " + escape.Line(Author(in.Author))})
	}
	if here != nil && here.Present != nil && (in == nil || here.Present.Commit != in.Commit) {
		out = append(out, Dated{here.Present.Time, PointPresent, "present in " + commitWords(here.Present.Commit)})
	}
	if here != nil && here.Absent != nil && here.Present == nil && in == nil {
		out = append(out, Dated{nil, PointPresent, "not committed yet"})
	}
	for i := range f.Edits {
		e := &f.Edits[i]
		out = append(out, Dated{&e.Time, pointLater, commitAction(e) + " by " + commitWords(e.Commit)})
	}
	if l := f.Left; l != nil {
		out = append(out, Dated{&l.Time, PointLeft, "left by " + commitWords(l.Commit)})
	}
	return byDate(out)
}

// ThereDates returns the points of the first origin's package.
func ThereDates(f *finding.Finding) []Dated {
	o := order.FirstOrigin(f)
	var out []Dated
	shown := false
	if first := o.First; first != nil {
		if p := first.Half; p != nil && p.Commit != "" && first.Present != nil && p.Commit != first.Present.Commit {
			out = append(out, Dated{p.Time, PointAbsent, "half of it in " + commitWords(p.Commit)})
		}
		if p := first.Absent; p != nil {
			out = append(out, Dated{p.Time, PointAbsent, "absent from " + pointWords(p, o.PURL)})
		}
		if p := first.Present; p != nil {
			shown = p.PURL == o.PURL
			out = append(out, Dated{p.Time, PointPresent, "present in " + pointWords(p, o.PURL)})
		}
	}
	if o.Released != nil && !shown {
		out = append(out, Dated{o.Released, PointPresent, versionWords(o.PURL, o.PURL) + " released"})
	}
	return byDate(out)
}

// pointWords names a version or a commit of the origin's repository, or both.
func pointWords(p *finding.Point, origin string) string {
	switch {
	case p.Commit == "":
		return versionWords(p.PURL, origin)
	case p.PURL == "":
		return commitWords(p.Commit)
	}
	return commitWords(p.Commit) + ", released in " + versionWords(p.PURL, origin)
}

func commitWords(id string) string {
	return strings.TrimSpace("commit " + escape.Line(Shorten(id)))
}

// versionWords returns the version of a package, with its name if that differs from origin's.
func versionWords(p, origin string) string {
	if v := purl.Version(p); v != "" && purl.Name(p) == purl.Name(origin) {
		return escape.Line(v)
	}
	return escape.Line(p)
}

// byDate orders points by time; points without a time come last.
func byDate(list []Dated) []Dated {
	slices.SortStableFunc(list, func(a, b Dated) int { return compareTime(a.Time, b.Time) })
	return list
}

func compareTime(a, b *time.Time) int {
	if a == nil || b == nil {
		return finding.CompareTrue(b == nil, a == nil)
	}
	return a.Compare(*b)
}

// DateOf returns the day of a point in words.
func DateOf(d Dated) string {
	if d.Time == nil {
		return "no date"
	}
	return Date(*d.Time)
}

// SideBySide arranges the points of both sides in rows: date, here, there.
func SideBySide(f *finding.Finding) [][3]string {
	var out [][3]string
	add := func(list []Dated, side int) {
		for _, d := range list {
			row := [3]string{DateOf(d)}
			row[side] = d.Words
			out = append(out, row)
		}
	}
	add(HereDates(f), 1)
	add(ThereDates(f), 2)
	slices.SortStableFunc(out, func(a, b [3]string) int { // "no date" comes after digits
		return strings.Compare(a[0], b[0])
	})
	return joinRows(out)
}

// joinRows joins neighbouring rows that have one date and one side each.
func joinRows(rows [][3]string) [][3]string {
	var out [][3]string
	for _, r := range rows {
		if n := len(out) - 1; n >= 0 && out[n][0] == r[0] && out[n][2] == "" && r[1] == "" {
			out[n][2] = r[2]
			continue
		}
		out = append(out, r)
	}
	return out
}

// Bounds says when each side first had the region.
func Bounds(f *finding.Finding) string {
	var out []string
	for _, side := range []struct {
		name string
		list []Dated
	}{{"here", HereDates(f)}, {"there", ThereDates(f)}} {
		var words []string
		for _, d := range side.list {
			if d.Kind == PointAbsent || d.Kind == PointPresent {
				words = append(words, d.Words+" ("+DateOf(d)+")")
			}
		}
		if len(words) > 0 {
			out = append(out, side.name+": "+strings.Join(words, ", "))
		}
	}
	return strings.Join(out, "; ")
}
