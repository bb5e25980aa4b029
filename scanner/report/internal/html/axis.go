package html

import (
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// axis draws both sides of a finding on one time axis. The table beside it says the same.
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

// lane is one side: the region appeared between Absent and Present, and was there until Left.
type lane struct {
	Name    string     `json:"n"`
	Absent  int        `json:"a,omitempty"` // 0: no date
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
	here, there := words.HereDates(f), words.ThereDates(f)
	var all []time.Time
	for _, d := range slices.Concat(here, there) {
		if d.Time != nil {
			all = append(all, *d.Time)
		}
	}
	if len(all) == 0 {
		return nil
	}
	first, last := slices.MinFunc(all, time.Time.Compare), slices.MaxFunc(all, time.Time.Compare)
	a := &axis{Words: words.UpperFirst(words.Bounds(f)), Lanes: []lane{newLane("here", here, first, last), newLane("there", there, first, last)},
		Table: table{Title: "Dates of both sides", Head: []string{"Date", "Here", "There"}}}
	for _, t := range ticks(first, last) {
		a.Ticks = append(a.Ticks, axisTick(t))
	}
	for _, r := range words.SideBySide(f) {
		a.Table.Rows = append(a.Table.Rows, []value{{say(r[0])}, {say(r[1])}, {say(r[2])}})
	}
	return a
}

func newLane(name string, list []words.Dated, first, last time.Time) lane {
	l := lane{Name: name, Marks: []axisMark{}}
	for _, d := range list {
		if d.Time == nil {
			continue
		}
		x := chartX(*d.Time, first, last)
		l.Marks = append(l.Marks, axisMark{x, d.Kind, words.DateOf(d) + ": " + d.Words})
		switch {
		case d.Kind == words.PointAbsent:
			l.Absent = x
		case d.Kind == words.PointPresent && l.Present == 0:
			l.Present = x
		case d.Kind == words.PointLeft:
			l.Left = x
		}
	}
	return l
}
