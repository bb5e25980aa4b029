package html_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/internal/html"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
)

// TestAxis: the page draws both sides on one axis, with the same in words and in a
// table; without a date there is neither.
func TestAxis(t *testing.T) {
	r := reporttest.Example()
	r.Findings[0] = *reporttest.DatedFinding()
	page := func() string {
		var b strings.Builder
		if err := html.Write(&b, r); err != nil {
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
