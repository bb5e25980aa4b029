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
