package origindates

import (
	"strings"
	"testing"
	"time"
)

// TestLowerLine: the note on a version without the region says why it does not date the region.
func TestLowerLine(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 7, d, 0, 0, 0, 0, time.UTC) }
	present := sighting{PURL: "pkg:npm/a@11.13.1", Present: true, Time: day(16)}
	for at, want := range map[time.Time]string{
		day(10): "10.34.5 is of a lower release line, which went on beside",
		day(20): "10.34.5 has a lower number, but not an earlier date",
		{}:      "10.34.5 has a lower number, but not an earlier date",
	} {
		notes := (&series{}).notes(&needle{}, present, sighting{}, sighting{PURL: "pkg:npm/a@10.34.5", Time: at})
		if got := strings.Join(notes, "; "); !strings.Contains(got, want) {
			t.Errorf("released %v: %q, want %q", at, got, want)
		}
	}
}
