package html

import (
	"fmt"
	"html/template"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// pageFile is a file with the regions found in it. The bar represents the whole file. A report of an earlier program
// does not contain the length of the file; then the bar ends with the last region.
type pageFile struct {
	N       int
	Path    string
	Dir     string
	Base    string
	Last    int  // last line of the bar
	Whole   bool // Last is the last line of the file
	LastN   string
	Regions []barRegion
	Words   string // the regions, for readers who do not see the bar
}

// barRegion is a region's place on the bar of its file.
type barRegion struct {
	N           int
	From, Width int
	Lines       string
	Class       string
	Title       string
}

// minBarShare is the smallest visible part of a bar, as a divisor.
const minBarShare = 200

func pageFiles(ranked []*finding.Finding) []pageFile {
	at := make(map[string]int)
	var out []pageFile
	for i, f := range ranked {
		n, ok := at[f.Path]
		if !ok {
			n = len(out)
			at[f.Path] = n
			dir, base := path.Split(f.Path)
			out = append(out, pageFile{N: n, Path: escape.Line(f.Path), Dir: escape.Line(dir), Base: escape.Line(base), Last: 1})
		}
		p := &out[n]
		p.Whole = p.Whole || f.FileLines > 0
		p.Last = max(p.Last, f.StartLine, f.EndLine, f.FileLines)
		p.Regions = append(p.Regions, barRegion{N: i + 1, From: max(0, f.StartLine-1), Width: max(1, f.EndLine-f.StartLine+1), Lines: between(f.StartLine, f.EndLine),
			Class: levelClasses[order.LevelRank(f.Level)], Title: fmt.Sprintf("Finding %s: %s, %s", words.Number(i+1), words.Lines(f.StartLine, f.EndLine), escape.Line(f.Level))})
	}
	for i := range out {
		out[i].finish()
	}
	return out
}

func (p *pageFile) finish() {
	least := "at least "
	if p.Whole {
		least = ""
	}
	p.LastN = least + words.Number(p.Last)
	slices.SortStableFunc(p.Regions, func(a, b barRegion) int { return a.From - b.From })
	var lines []string
	for i := range p.Regions {
		r := &p.Regions[i]
		lines = append(lines, r.Lines)
		r.Width = max(r.Width, p.Last/minBarShare)
		r.From = max(0, min(r.From, p.Last-r.Width))
	}
	if len(lines) > words.MaxRanges {
		lines = append(lines[:words.MaxRanges], fmt.Sprintf("and %d more", len(lines)-words.MaxRanges))
	}
	p.Words = "Regions at lines " + strings.Join(lines, ", ") + " of a file of " + least + words.Plural(p.Last, "line")
}

// chart is the timeline: the commits that changed copied regions, and how many regions entered and left by each.
type chart struct {
	Moments     []chartMoment
	Ticks       []chartTick
	First, Last string
	Entered     string
	Left        string
	Base        int
}

type chartMoment struct {
	X                   int
	Up, Down, UpY, Side int
	Date, Commit        string
	Author, Words       string
	Title               string
}

type chartTick struct {
	X    int
	Text string
}

// The chart's size, in units of its own. Bars grow upwards from the base line for regions that entered, and downwards
// for regions that left. A commit without either has a tick.
const (
	chartWidth  = 960
	chartMargin = 20
	chartBase   = 90
	chartUp     = 80
	chartDown   = 40
)

func newChart(fs []finding.Finding) *chart {
	ms := words.Moments(fs)
	if len(ms) == 0 {
		return nil
	}
	first, last := ms[0].Commit.Time, ms[len(ms)-1].Commit.Time
	c := &chart{First: words.Date(first), Last: words.Date(last), Base: chartBase, Ticks: ticks(first, last)}
	most, entered, left := 1, 0, 0
	for i := range ms {
		most = max(most, ms[i].Count("entered"), ms[i].Count("left"))
		entered += ms[i].Count("entered")
		left += ms[i].Count("left")
	}
	c.Entered, c.Left = words.Plural(entered, "region"), words.Plural(left, "region")
	for i := range ms {
		m := &ms[i]
		e := chartMoment{X: chartX(m.Commit.Time, first, last), Date: words.Date(m.Commit.Time), Commit: escape.Line(words.Shorten(m.Commit.Commit)),
			Author: escape.Line(words.Author(m.Commit.Author)), Words: m.Words()}
		e.Up, e.Down = bar(m.Count("entered"), most, chartUp), bar(m.Count("left"), most, chartDown)
		e.UpY = chartBase - e.Up
		e.Title = e.Date + ", commit " + e.Commit + ": " + e.Words
		c.Moments = append(c.Moments, e)
	}
	return c
}

// bar returns a height. A number above zero has a visible bar.
func bar(n, most, height int) int {
	if n == 0 {
		return 0
	}
	return max(4, n*height/most)
}

func chartX(t, first, last time.Time) int {
	span := last.Unix() - first.Unix()
	if span <= 0 {
		return chartWidth / 2
	}
	return chartMargin + int(float64(t.Unix()-first.Unix())/float64(span)*(chartWidth-2*chartMargin))
}

// maxTicks is how many years fit along the chart.
const maxTicks = 12

func ticks(first, last time.Time) []chartTick {
	from, to := first.UTC().Year()+1, last.UTC().Year()
	if to < from || to-from > 10_000 {
		return nil
	}
	step := 1 + (to-from)/maxTicks
	var out []chartTick
	for y := from; y <= to; y += step {
		out = append(out, chartTick{chartX(time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), first, last), fmt.Sprint(y)})
	}
	return out
}

// pageReason is the part of the ledger with one reason. Its entries are JSON data, since there can be as many as files.
type pageReason struct {
	Reason, Count, Words string
	JSON                 template.JS
}

func pageLedger(es []finding.Entry) ([]pageReason, error) {
	by := make(map[lang.Reason][][2]string)
	for _, e := range es {
		by[e.Reason] = append(by[e.Reason], [2]string{escape.Line(e.Path), escape.Line(e.Detail)})
	}
	var out []pageReason
	for _, c := range words.CountReasons(es) {
		js, err := block(by[c.Reason])
		if err != nil {
			return nil, err
		}
		out = append(out, pageReason{escape.Line(string(c.Reason)), words.Number(c.N), words.ReasonMeaning(c.Reason), js})
	}
	return out, nil
}
