package versions

import (
	"testing"
	"time"
)

func sightedIn(name, day string, has bool) Sighting {
	t, _ := time.Parse(time.DateOnly, day)
	return Sighting{PURL: "pkg:npm/a@" + name, Present: has, Time: t}
}

// TestSince: only a version that is older by number and by its own date shows that a package lacked something.
func TestSince(t *testing.T) {
	for name, c := range map[string]struct {
		all             []Sighting
		present, absent string
	}{
		"in order":                    {[]Sighting{sightedIn("1.0.0", "2013-01-01", false), sightedIn("1.1.0", "2014-01-01", true)}, "1.1.0", "1.0.0"},
		"another major line":          {[]Sighting{sightedIn("10.34.5", "2026-07-10", false), sightedIn("11.13.1", "2026-07-16", true)}, "11.13.1", ""},
		"a major line from its begin": {[]Sighting{sightedIn("10.9.0", "2026-01-10", false), sightedIn("11.0.0", "2026-04-28", true), sightedIn("11.13.1", "2026-07-16", true)}, "11.0.0", "10.9.0"},
		"a major line begun before":   {[]Sighting{sightedIn("10.34.5", "2026-07-10", false), sightedIn("11.0.0", "2026-04-28", false), sightedIn("11.13.1", "2026-07-16", true)}, "11.13.1", "11.0.0"},
		"a line beside it":            {[]Sighting{sightedIn("1.3.0", "2015-01-01", true), sightedIn("2.0.0-beta.2", "2014-01-01", false)}, "1.3.0", ""},
		"an old one published anew":   {[]Sighting{sightedIn("1.0.0", "2024-12-04", false), sightedIn("1.1.0", "2025-01-01", true), sightedIn("2.0.0", "2014-01-01", false)}, "1.1.0", ""},
		"a backport":                  {[]Sighting{sightedIn("1.8.0", "2015-01-01", false), sightedIn("1.9.8", "2019-01-01", false), sightedIn("1.10.0", "2017-01-01", true)}, "1.10.0", "1.8.0"},
		"patches dated as copied":     {[]Sighting{sightedIn("1.0.0", "2024-11-01", false), sightedIn("1.0.1", "2024-10-01", false), sightedIn("1.0.2", "2024-09-01", false), sightedIn("0.9.0", "2024-01-01", false), sightedIn("1.1.0", "2024-12-01", true)}, "1.1.0", ""},
		"one patch out of order":      {[]Sighting{sightedIn("1.0.0", "2013-05-01", false), sightedIn("1.0.1", "2013-02-01", false), sightedIn("1.1.0", "2014-01-01", true)}, "1.1.0", "1.0.1"},
		"what has it lower, undated":  {[]Sighting{sightedIn("1.0.0", "2013-01-01", false), sightedIn("0.9.0", "", true), sightedIn("1.1.0", "2014-01-01", true)}, "1.1.0", ""},
		"neither number nor date":     {[]Sighting{sightedIn("1.0.0", "2013-01-01", false), sightedIn("next", "", true), sightedIn("1.1.0", "2014-01-01", true)}, "1.1.0", ""},
		"a higher pre-release early":  {[]Sighting{sightedIn("1.0.0", "2015-01-01", false), sightedIn("1.1.0", "2016-01-01", true), sightedIn("2.0.0-alpha.1", "2014-01-01", false)}, "1.1.0", "1.0.0"},
	} {
		present, absent, _ := Since(c.all, DatesOf(c.all))
		if got := versionOf(absent); versionOf(present) != c.present || got != c.absent {
			t.Errorf("%s: present in %q, absent from %q, want %q, %q", name, versionOf(present), got, c.present, c.absent)
		}
	}
}

// TestRepacked: a version that Debian packed years after its release does not show that a region is younger.
func TestRepacked(t *testing.T) {
	at := func(version, day string, has bool) Sighting {
		return Sighting{PURL: "pkg:deb/debian/a@" + version, Present: has, Time: sightedIn("", day, has).Time}
	}
	all := []Sighting{at("1.0-1", "2019-01-01", false), at("1.1-1", "2020-01-01", true)}
	if present, absent, late := Since(all, DatesOf(all)); present.PURL != all[1].PURL || absent.PURL != "" || late.PURL != all[0].PURL {
		t.Errorf("present in %q, absent from %q, late %q", present.PURL, absent.PURL, late.PURL)
	}
}

func versionOf(o Sighting) string {
	if o.PURL == "" {
		return ""
	}
	return o.PURL[len("pkg:npm/a@"):]
}

// TestDatesOfCopies: if a registry dates copies, the files in the archives date the versions, as far as their dates are
// plausible.
func TestDatesOfCopies(t *testing.T) {
	made := func(name, registry, packed string, has bool) Sighting {
		o := sightedIn(name, registry, has)
		o.Packed, _ = time.Parse(time.DateOnly, packed)
		return o
	}
	copied := func(packed ...string) []Sighting { // 1.0.3 is the first that has the region
		return []Sighting{made("1.0.0", "2024-11-01", packed[0], false), made("1.0.1", "2024-10-01", packed[1], false), made("1.0.2", "2024-09-01", packed[2], false), made("1.0.3", "2024-12-01", packed[3], true)}
	}
	for name, c := range map[string]struct {
		all             []Sighting
		present, absent string
	}{
		"in order":                    {copied("2013-01-01", "2013-02-01", "2013-03-01", "2013-04-01"), "1.0.3 2013-04-01", "1.0.2 2013-03-01"},
		"one without":                 {copied("2013-01-01", "2013-02-01", "", "2013-04-01"), "1.0.3 2013-04-01", "1.0.1 2013-02-01"},
		"none":                        {copied("", "", "", ""), "1.0.3 2024-12-01", ""},
		"what has it without":         {copied("2013-01-01", "2013-02-01", "2013-03-01", ""), "1.0.3 2024-12-01", "1.0.2 2013-03-01"},
		"the date of a tool":          {copied("2012-01-01", "2012-01-01", "2012-01-01", "2012-01-01"), "1.0.3 2024-12-01", ""},
		"a clock that was wrong":      {copied("2013-01-01", "2013-02-01", "2013-03-01", "2008-01-01"), "1.0.3 2024-12-01", "1.0.2 2013-03-01"},
		"a registry that dates right": {[]Sighting{made("1.0.0", "2015-01-01", "2012-01-01", false), made("1.0.1", "2016-01-01", "2013-01-01", true)}, "1.0.1 2016-01-01", "1.0.0 2015-01-01"},
	} {
		present, absent, _ := Since(c.all, DatesOf(c.all))
		if got := dayOf(present); got != c.present || dayOf(absent) != c.absent {
			t.Errorf("%s: present in %q, absent from %q, want %q, %q", name, got, dayOf(absent), c.present, c.absent)
		}
	}
}

func dayOf(o Sighting) string {
	if o.PURL == "" {
		return ""
	}
	return versionOf(o) + " " + o.Time.Format(time.DateOnly)
}
