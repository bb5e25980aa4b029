package text_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	"github.com/git-provenance/git-provenance/scanner/report/text"
)

// TestExplainDates: both sides stand next to each other by date, what has no date
// last, and a package of another name is named.
func TestExplainDates(t *testing.T) {
	f := reporttest.DatedFinding()
	check := func(want string) {
		t.Helper()
		var b bytes.Buffer
		if err := text.Explain(&b, reporttest.Example(), f, text.Options{}); err != nil {
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
