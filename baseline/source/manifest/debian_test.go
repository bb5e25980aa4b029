package manifest

import (
	"strings"
	"testing"
	"time"
)

// entry makes an entry of a changelog.
func entry(version, date string) string {
	return "pad (" + version + ") unstable; urgency=medium\n\n  * Change (in parts).\n\n -- A B <a@b.org>  " + date + "\n\n"
}

// TestFirstRevision: the date of a version is that of Debian's first revision of it. Other versions of upstream, and dates that cannot be
// read, do not count.
func TestFirstRevision(t *testing.T) {
	log := entry("1:2.0-2+deb12u1", "Mon, 03 Jun 2024 10:00:00 +0000") + entry("1:2.0-2", "Fri, 22 Sep 2023 10:00:00 +0200") + entry("1:2.0-1", "Fri, 1 Sep 2023 00:30:00 +0200") +
		entry("1:2.0~rc1-1", "Tue, 01 Aug 2023 10:00:00 +0000") + entry("1.9-1", "Sat, 01 Jan 2022 10:00:00 +0000")
	for _, c := range []struct{ log, version, want string }{
		{log, "1:2.0-2+deb12u1", "2023-08-31"},
		{log, "1:2.0~rc1-1", "2023-08-01"},
		{log, "3.0-1", ""},
		{entry("5", "Sat, 01 Jan 2022 10:00:00 +0000") + entry("4", "Fri, 01 Jan 2021 10:00:00 +0000"), "5", "2022-01-01"},
		{entry("1-2", "Sat, 01 Jan 2022 10:00:00 +0000") + entry("1-1", "last week"), "1-2", "2022-01-01"},
		{strings.ReplaceAll(log, "\n", "\r\n"), "1:2.0-1", "2023-08-31"},
		{" -- A <a@b>  Sat, 01 Jan 2022 10:00:00 +0000\n", "1-1", ""},
		{"pad (1-1", "1-1", ""},
		{"", "1-1", ""},
	} {
		got := ""
		if at := (&Debian{Version: c.version}).dateIn(c.log); !at.IsZero() {
			got = at.Format(time.DateOnly)
		}
		if got != c.want {
			t.Errorf("%s in %.40q: %q, want %q", c.version, c.log, got, c.want)
		}
	}
	whole := Debian{Version: "1:2.0-2", Whole: true}
	if got := whole.dateIn(log).Format(time.DateOnly); got != "2023-09-22" {
		t.Errorf("a package with Debian's files is dated %s", got)
	}
}

// TestDebianRepository: the repository is that of upstream. Debian's own is not, and a page that is no repository is not.
func TestDebianRepository(t *testing.T) {
	const control = "debian/control"
	for _, c := range []struct{ name, text, want string }{
		{control, "Source: a\nHomepage: https://github.com/o/n/issues\n\nPackage: a\nHomepage: https://github.com/x/y\n", "https://github.com/o/n"},
		{control, "Source: a\nVcs-Git: https://github.com/debian/a.git\n", ""},
		{control, "Source: a\nHomepage: https://n.github.io/o\n", ""},
		{control, "Source: a\n\nPackage: a\nHomepage: https://github.com/x/y\n", ""},
		{"debian/upstream/metadata", "Bug-Database: https://github.com/x/y\nRepository: https://git.example.org/o/n.git\n", "https://git.example.org/o/n.git"},
		{"debian/upstream/metadata", "Repository: [\n", ""},
		{"debian/upstream/metadata", "Repository: https://u:p@github.com/o/n\n", ""},
		{"upstream/metadata", "Repository: https://github.com/o/n\n", ""},
	} {
		d := Debian{Version: "1-1"}
		d.Read(c.name, []byte(c.text))
		if got := d.Meta(); got != (Meta{Repository: c.want}) {
			t.Errorf("%s %q: %+v, want %q", c.name, c.text, got, c.want)
		}
	}
}
