package report_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
)

// datedFinding was taken from version 1.2.10 in 2020, edited, and thrown out.
func datedFinding() *finding.Finding {
	f := example().Findings[0]
	at := func(year int) *time.Time {
		t := time.Date(year, 3, 4, 0, 0, 0, 0, time.UTC)
		return &t
	}
	f.Introduced = &finding.Commit{Commit: strings.Repeat("c", 40), Author: "Ada <a@example.org>", Time: *at(2020)}
	f.Here = &finding.Interval{Absent: &finding.Point{Commit: strings.Repeat("d", 40), Time: at(2019)}, Present: &finding.Point{Commit: strings.Repeat("c", 40), Time: at(2020)}}
	f.Edits = []finding.Commit{{Commit: strings.Repeat("e", 40), Time: *at(2021), Path: "new.go", Changes: []string{"moved"}}}
	f.Left = &finding.Commit{Commit: strings.Repeat("f", 40), Time: *at(2023)}
	f.Origins[0].First = &finding.Interval{Absent: &finding.Point{PURL: "pkg:generic/zlib@1.2.9", Time: at(2017)}, Present: &finding.Point{PURL: "pkg:generic/zlib@1.2.10", Time: at(2019)}}
	f.Origins[0].Released = at(2020)
	return &f
}

// TestExplainDates: both sides stand next to each other by date, what has no date
// last, and a package of another name is named.
func TestExplainDates(t *testing.T) {
	f := datedFinding()
	check := func(want string) {
		t.Helper()
		var b bytes.Buffer
		if err := report.Explain(&b, f, report.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("no\n%s\nin\n%s", want, b.String())
		}
	}
	check(`dates
                here                                      there
    2017-03-04                                            absent from 1.2.9
    2019-03-04  absent from commit dddddddddddd           present in 1.2.10
    2020-03-04  introduced by commit cccccccccccc of Ada  1.2.11 released
    2021-03-04  moved to new.go by commit eeeeeeeeeeee
    2023-03-04  left by commit ffffffffffff

`)
	f.Origins[0].First.Absent = &finding.Point{PURL: "pkg:generic/\u202ezlib-old@1"}
	f.Edits, f.Left, f.Introduced = nil, nil, nil
	check(`dates
                here                             there
    2019-03-04  absent from commit dddddddddddd  present in 1.2.10
    2020-03-04  present in commit cccccccccccc   1.2.11 released
    no date                                      absent from pkg:generic/\u202ezlib-old@1

`)
}

// TestAxis: the page draws both sides on one axis, with the same in words and in a
// table; without a date there is neither.
func TestAxis(t *testing.T) {
	r := example()
	r.Findings[0] = *datedFinding()
	page := func() string {
		var b strings.Builder
		if err := report.HTML(&b, r); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	words := "absent from commit dddddddddddd (2019-03-04), introduced by commit cccccccccccc of Ada (2020-03-04); there: absent from 1.2.9 (2017-03-04), present in 1.2.10 (2019-03-04), 1.2.11 released (2020-03-04)"
	for _, want := range []string{
		`"axis":{"w":"Here: ` + words + `"`, `{"x":607,"t":"2021"}`,
		`{"n":"here","a":326,"p":480,"e":940,"m":[{"x":326,"k":"absent",`, `{"n":"there","a":20,"p":326,"m":[{"x":20,"k":"absent",`,
		`"h":["Date","Here","There"],"r":[[[{"t":"2017-03-04"}],[{"t":""}],[{"t":"absent from 1.2.9"}]]`,
	} {
		if !strings.Contains(page(), want) {
			t.Errorf("no %s", want)
		}
	}
	var b strings.Builder
	f, _ := report.ByName("spdx")
	if err := f.Render(&b, r, report.Options{}); err != nil || !strings.Contains(b.String(), "of the package. Here: "+words) {
		t.Errorf("spdx: %v, no dates in\n%s", err, b.String())
	}
	g := &r.Findings[0]
	g.Here, g.Introduced, g.Edits, g.Left, g.Origins[0].First, g.Origins[0].Released = nil, nil, nil, nil, nil, nil
	if strings.Contains(page(), `"axis":`) {
		t.Error("an axis without a date")
	}
}
