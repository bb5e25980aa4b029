package words

import (
	"testing"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestAction: the action depends on the verdict, the direction, the licence and earlier
// decisions. A finding that the policy does not let pass always has a remedy.
func TestAction(t *testing.T) {
	gone := false
	from, to := finding.DirectionFrom, finding.DirectionTo
	for want, f := range map[string]finding.Finding{
		"add the notice, remove the code, or accept finding f1 with a reason":                                        {Verdict: finding.Undeclared, Level: "warning", Direction: from},
		"if this is the copy, add the notice or remove the code; otherwise accept finding f1 with a reason":          {Verdict: finding.Undeclared, Level: "warning"},
		"restore the licence header, remove the code, or accept finding f1 with a reason":                            {Verdict: finding.LicenceStripped, Level: "error", Direction: from},
		"correct the notice, remove the code, or accept finding f1 with a reason":                                    {Verdict: finding.AttributionWrong, Level: "warning", Direction: from},
		"none: keep the notice; finding f1":                                                                          {Verdict: finding.Attributed, Level: "note", Direction: from},
		"keep the notice; accept finding f1 with a reason, or remove the code":                                       {Verdict: finding.Attributed, Level: "error", Direction: from},
		"none: the code names another source; finding f1":                                                            {Verdict: finding.AttributedElsewhere, Level: "note", Direction: from},
		"the code names another source; accept finding f1 with a reason, or remove the code":                         {Verdict: finding.AttributedElsewhere, Level: "warning", Direction: from},
		"none: this code is older; finding f1":                                                                       {Verdict: finding.Undeclared, Level: "note", Direction: to},
		"this code is older; accept finding f1 with a reason, or remove the code":                                    {Verdict: finding.Undeclared, Level: "warning", Direction: to},
		"none: both sides have the same owner; finding f1":                                                           {Verdict: finding.Undeclared, Level: "note", Origins: []finding.Origin{{SameOwner: true}}},
		"none: a holder of its copyright brought it here; finding f1":                                                {Verdict: finding.Undeclared, Level: "note", Here: &finding.Interval{}, Introduced: &finding.Commit{Author: "Ada Byron <a@b>"}, Origins: []finding.Origin{{Holders: []string{"Ada Byron"}}}},
		"none: it came with its history; finding f1":                                                                 {Verdict: finding.Undeclared, Level: "note", Origins: []finding.Origin{{First: &finding.Interval{Shared: true}}}},
		"none: many packages contain this code; finding f1":                                                          {Verdict: finding.CommonCode, Level: "note"},
		"replace the code or obtain another licence, or accept finding f1 with a reason":                             {Verdict: finding.Attributed, Level: "error", Direction: from, Compatibility: &finding.Compatibility{Answer: license.FitsNot}},
		"if this is the copy, replace the code or obtain another licence; otherwise accept finding f1 with a reason": {Verdict: finding.Undeclared, Level: "error", Compatibility: &finding.Compatibility{Answer: license.FitsNot}},
		`none: accepted by inline: it is\x1bours (until 2030-01-31); finding f1`:                                     {Verdict: finding.AllowedCode, Allowed: &finding.Allowance{By: "inline", Reason: "it is\x1bours", Expires: "2030-01-31"}},
		"none: the policy ignores it; finding f1":                                                                    {Verdict: finding.Undeclared, Level: "ignore"},
		"the region is gone; accept finding f1 with a reason":                                                        {Verdict: finding.Undeclared, Level: "warning", Alive: &gone},
	} {
		f.ID = "f1"
		if got := Action(&f).String(); got != want {
			t.Errorf("%s %s %s: %q, want %q", f.Level, f.Verdict, f.Direction, got, want)
		}
	}
}

// TestUnknownLicence: nobody can add the notice of a licence that is not known.
func TestUnknownLicence(t *testing.T) {
	f := &finding.Finding{ID: "f1", Verdict: finding.Undeclared, Level: "warning", Direction: finding.DirectionFrom, Origins: []finding.Origin{{PURL: "pkg:npm/a@1"}}}
	if got, want := Action(f).String(), "find out the licence of the origin, then add its notice, remove the code, or accept finding f1 with a reason"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
