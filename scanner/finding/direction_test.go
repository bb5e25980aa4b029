package finding

import (
	"testing"
	"time"
)

// TestDirectOnOneDay: for a release, only the day may be known, and the target may have had the region earlier on that day.
func TestDirectOnOneDay(t *testing.T) {
	at := func(s string) *time.Time {
		when, err := time.Parse("2006-01-02 15:04", s)
		if err != nil {
			t.Fatal(err)
		}
		return &when
	}
	for _, c := range []struct{ here, there, want string }{
		{"2017-11-09 15:00", "2017-11-09 00:00", DirectionUnknown},
		{"2017-11-09 15:00", "2017-11-09 14:00", DirectionFrom},
		{"2017-11-10 15:00", "2017-11-09 00:00", DirectionFrom},
	} {
		f := Finding{Introduced: &Commit{Time: *at(c.here)}, Origins: []Origin{{PURL: "pkg:generic/a@1", Released: at(c.there)}}}
		if SetDirection(&f); f.Direction != c.want {
			t.Errorf("here %s, released %s: %s, want %s", c.here, c.there, f.Direction, c.want)
		}
	}
}

// TestDirectUncommitted: a region that no commit has is younger than what the baseline has, also if the origin has no date.
func TestDirectUncommitted(t *testing.T) {
	begin, release := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), time.Date(2019, 1, 2, 3, 4, 5, 0, time.UTC)
	here := &Interval{Absent: &Point{Time: &begin}, Note: NotCommitted}
	for _, c := range []struct {
		f            Finding
		want, reason string
	}{
		{Finding{Here: here, Origins: []Origin{{PURL: "pkg:generic/a@1"}}}, DirectionFrom, "not committed yet here, there at an unknown time, but in the baseline already"},
		{Finding{Here: here, Origins: []Origin{{PURL: "pkg:generic/a@1", Released: &release}}}, DirectionFrom, "not committed yet here, there by 2019-01-02"},
		{Finding{Introduced: &Commit{Time: begin}, Origins: []Origin{{PURL: "pkg:generic/a@1"}}}, DirectionUnknown, "here since 2020-01-02, there at an unknown time"},
		{Finding{Origins: []Origin{{PURL: "pkg:generic/a@1"}}}, DirectionUnknown, "no history here, there at an unknown time"},
	} {
		if SetDirection(&c.f); c.f.Direction != c.want || c.f.DirectionReason != c.reason {
			t.Errorf("%s (%s), want %s (%s)", c.f.Direction, c.f.DirectionReason, c.want, c.reason)
		}
	}
}
