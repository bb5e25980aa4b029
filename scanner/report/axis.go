package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// The kinds of a dated point: the region is not there yet, is there, or became
// something else.
const (
	pointAbsent  = "absent"
	pointPresent = "present"
	pointLater   = "later"
	pointLeft    = "left"
)

// dated is a point on the timeline of one side. Its words are escaped.
type dated struct {
	time  *time.Time // nil if it is not known
	kind  string
	words string
}

// hereDates are the points of the target's side, in the order of their dates.
func hereDates(f *finding.Finding) []dated {
	var out []dated
	here, in := f.Here, f.Introduced
	if here != nil && here.Absent != nil {
		out = append(out, dated{here.Absent.Time, pointAbsent, "absent from " + commitWords(here.Absent.Commit)})
	}
	if here != nil && here.Half != nil && here.Half.Commit != "" && in != nil && here.Half.Commit != in.Commit {
		out = append(out, dated{here.Half.Time, pointAbsent, "half of it in " + commitWords(here.Half.Commit)})
	}
	if in != nil {
		out = append(out, dated{&in.Time, pointPresent, "introduced by " + commitWords(in.Commit) + " of " + Escape(author(in.Author))})
	}
	if here != nil && here.Present != nil && (in == nil || here.Present.Commit != in.Commit) {
		out = append(out, dated{here.Present.Time, pointPresent, "present in " + commitWords(here.Present.Commit)})
	}
	if here != nil && here.Absent != nil && here.Present == nil && in == nil {
		out = append(out, dated{nil, pointPresent, "not committed yet"})
	}
	for i := range f.Edits {
		e := &f.Edits[i]
		out = append(out, dated{&e.Time, pointLater, deed(e) + " by " + commitWords(e.Commit)})
	}
	if l := f.Left; l != nil {
		out = append(out, dated{&l.Time, pointLeft, "left by " + commitWords(l.Commit)})
	}
	return byDate(out)
}

// thereDates are those of the first origin's package.
func thereDates(f *finding.Finding) []dated {
	o := firstOrigin(f)
	var out []dated
	shown := false
	if first := o.First; first != nil {
		if p := first.Half; p != nil && p.Commit != "" && first.Present != nil && p.Commit != first.Present.Commit {
			out = append(out, dated{p.Time, pointAbsent, "half of it in " + commitWords(p.Commit)})
		}
		if p := first.Absent; p != nil {
			out = append(out, dated{p.Time, pointAbsent, "absent from " + pointWords(p, o.PURL)})
		}
		if p := first.Present; p != nil {
			shown = p.PURL == o.PURL
			out = append(out, dated{p.Time, pointPresent, "present in " + pointWords(p, o.PURL)})
		}
	}
	if o.Released != nil && !shown {
		out = append(out, dated{o.Released, pointPresent, versionWords(o.PURL, o.PURL) + " released"})
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
	return strings.TrimSpace("commit " + Escape(shorten(id)))
}

// versionWords is the version of a package, with its name if that is not origin's.
func versionWords(p, origin string) string {
	if v := purl.Version(p); v != "" && purl.Name(p) == purl.Name(origin) {
		return Escape(v)
	}
	return Escape(p)
}

// byDate orders points by time; what has none comes last.
func byDate(list []dated) []dated {
	slices.SortStableFunc(list, func(a, b dated) int { return compareTime(a.time, b.time) })
	return list
}

func compareTime(a, b *time.Time) int {
	if a == nil || b == nil {
		return finding.CompareTrue(b == nil, a == nil)
	}
	return a.Compare(*b)
}

func dateOf(d dated) string {
	if d.time == nil {
		return "no date"
	}
	return date(*d.time)
}

// sideBySide puts the points of both sides into rows: date, here, there.
func sideBySide(f *finding.Finding) [][3]string {
	var out [][3]string
	add := func(list []dated, side int) {
		for _, d := range list {
			row := [3]string{dateOf(d)}
			row[side] = d.words
			out = append(out, row)
		}
	}
	add(hereDates(f), 1)
	add(thereDates(f), 2)
	slices.SortStableFunc(out, func(a, b [3]string) int { // "no date" comes after digits
		return strings.Compare(a[0], b[0])
	})
	return joinRows(out)
}

// joinRows makes one row of neighbours with one date and a side each.
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

// dates writes both timelines next to each other, by one column of dates.
func (t *text) dates(f *finding.Finding) {
	rows := sideBySide(f)
	if len(rows) == 0 {
		return
	}
	width := len("here")
	for _, r := range rows {
		width = max(width, len([]rune(r[1])))
	}
	width = min(width, max(20, t.o.Width/2))
	line := func(r [3]string) string {
		return strings.TrimRight(fmt.Sprintf("%s%-10s  %s  %s", indent, r[0], fit(r[1], width), r[2]), " ")
	}
	fmt.Fprintln(t.w, t.paint(bold, "dates"))
	fmt.Fprintln(t.w, t.paint(dim, line([3]string{"", "here", "there"})))
	for _, r := range rows {
		fmt.Fprintln(t.w, line(r))
	}
	fmt.Fprintln(t.w)
}

// bounds says in words when each side first had the region.
func bounds(f *finding.Finding) string {
	var out []string
	for _, side := range []struct {
		name string
		list []dated
	}{{"here", hereDates(f)}, {"there", thereDates(f)}} {
		var words []string
		for _, d := range side.list {
			if d.kind == pointAbsent || d.kind == pointPresent {
				words = append(words, d.words+" ("+dateOf(d)+")")
			}
		}
		if len(words) > 0 {
			out = append(out, side.name+": "+strings.Join(words, ", "))
		}
	}
	return strings.Join(out, "; ")
}

// axis draws both sides of a finding on one axis of time. The table beside it
// says the same.
type axis struct {
	Words string     `json:"w"`
	Ticks []axisTick `json:"t,omitempty"`
	Lanes []lane     `json:"l"`
	Table table      `json:"s"`
}

type axisTick struct {
	X    int    `json:"x"`
	Text string `json:"t"`
}

// lane is one side: the region came in between Absent and Present, and was there
// until Left.
type lane struct {
	Name    string     `json:"n"`
	Absent  int        `json:"a,omitempty"` // 0: no such date
	Present int        `json:"p,omitempty"`
	Left    int        `json:"e,omitempty"`
	Marks   []axisMark `json:"m"`
}

type axisMark struct {
	X     int    `json:"x"`
	Kind  string `json:"k"`
	Title string `json:"t"`
}

// newAxis returns nil for a finding without a date.
func newAxis(f *finding.Finding) *axis {
	here, there := hereDates(f), thereDates(f)
	var all []time.Time
	for _, d := range slices.Concat(here, there) {
		if d.time != nil {
			all = append(all, *d.time)
		}
	}
	if len(all) == 0 {
		return nil
	}
	first, last := slices.MinFunc(all, time.Time.Compare), slices.MaxFunc(all, time.Time.Compare)
	a := &axis{Words: upperFirst(bounds(f)), Lanes: []lane{newLane("here", here, first, last), newLane("there", there, first, last)},
		Table: table{Title: "Dates of both sides", Head: []string{"Date", "Here", "There"}}}
	for _, t := range ticks(first, last) {
		a.Ticks = append(a.Ticks, axisTick(t))
	}
	for _, r := range sideBySide(f) {
		a.Table.Rows = append(a.Table.Rows, []value{{say(r[0])}, {say(r[1])}, {say(r[2])}})
	}
	return a
}

func newLane(name string, list []dated, first, last time.Time) lane {
	l := lane{Name: name, Marks: []axisMark{}}
	for _, d := range list {
		if d.time == nil {
			continue
		}
		x := chartX(*d.time, first, last)
		l.Marks = append(l.Marks, axisMark{x, d.kind, dateOf(d) + ": " + d.words})
		switch {
		case d.kind == pointAbsent:
			l.Absent = x
		case d.kind == pointPresent && l.Present == 0:
			l.Present = x
		case d.kind == pointLeft:
			l.Left = x
		}
	}
	return l
}
