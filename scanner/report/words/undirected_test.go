package words_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// TestWhatSettles: the next step is named if there is one, and only for findings that ask
// for action.
func TestWhatSettles(t *testing.T) {
	at := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	one := func(level, direction, purl, from string) *finding.Finding {
		f := &finding.Finding{Level: level, Direction: direction, Introduced: &finding.Commit{Time: at}, Origins: []finding.Origin{{PURL: purl}}}
		if from != "" {
			f.Origins[0].First = &finding.Interval{From: from}
		}
		return f
	}
	unread := one("warning", "unknown", "pkg:github/a/c@1.0.0", "baseline")
	unread.Origins[0].First.Note = finding.RepositoryUnread + "; no registry can be asked for it"
	bare := one("warning", "unknown", "pkg:golang/a.org/b@v1.0.0", "")
	bare.Introduced = nil
	for want, fs := range map[string][]*finding.Finding{
		`2 findings at warning or above; "git-provenance scan --date" asks`: {one("error", "unknown", "pkg:golang/a.org/b@v1.0.0", ""), one("warning", "unknown", "pkg:npm/c@1.0.0", "baseline"),
			one("note", "unknown", "pkg:npm/d@1.0.0", ""), one("error", "from", "pkg:npm/e@1.0.0", "")},
		`1 finding at warning or above; "git-provenance scan --date --clone"`:                                {one("warning", "unknown", "pkg:npm/c@1.0.0", "versions")},
		`1 finding at warning or above; "git-provenance scan --date --clone" reads`:                          {one("warning", "unknown", "pkg:pypi/c@1.0.0", "baseline")},
		`1 finding at warning or above; "git-provenance scan --date --clone" reads the histories`:            {one("warning", "unknown", "pkg:cargo/c@1.0.0", "")},
		`1 finding at warning or above; the history of the origin tells: "git-provenance scan --origin-repo`: {one("warning", "unknown", "pkg:maven/a/c@1.0.0", "baseline")},
		`1 finding at warning or above; the history of the origin tells: "git-provenance scan --origin`:      {unread},
		"": {one("warning", "unknown", "pkg:npm/c@1.0.0", "history"), one("warning", "unknown", "pkg:golang/std@1.26.0", "versions"), one("note", "unknown", "pkg:npm/d@1.0.0", ""), bare},
	} {
		got := words.WhatSettles(fs)
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
