package remote

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/bounded"
	"github.com/git-provenance/git-provenance/baseline/purl"
)

func Example() {
	get := func(_ context.Context, addr, _ string) ([]byte, error) {
		fmt.Println("GET", addr)
		return []byte("---\n3.0.8 |checksum:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n"), nil
	}
	u, err := purl.Parse("pkg:gem/rack")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := Locate(context.Background(), u, Defaults(), get)
	fmt.Println(r.PURL, r.Archives[0].URL, err)
	// Output:
	// GET https://rubygems.org/info/rack
	// pkg:gem/rack@3.0.8 https://rubygems.org/gems/rack-3.0.8.gem <nil>
}

// Versions are ordered as in their ecosystems.
func TestCompare(t *testing.T) {
	for typ, list := range map[string]string{
		"pypi":     "1.0.dev1 1.0a1 1.0a2 1.0b1 1.0rc1 1.0 1.0.post1 1.0.1 1.10 1!0.5",
		"cargo":    "1.0.0-alpha 1.0.0-alpha2 1.0.0-foo.1 1.0.0 1.0.1 1.9.0 1.10.0",
		"maven":    "2.0.RC1 2.0-SNAPSHOT 2.0.Final 2.0.1 31.1-jre",
		"gem":      "3.0.0.beta1 3.0.0 3.0.0.1",
		"composer": "v1.0.0-RC1 v1.0.0 1.0.0-patch1 v1.0.1",
		"deb":      "2.10~rc1-1 2.10-1 2.10-3 2.10.1-1 1:0.1-1",
		"github":   "curl-7_1 curl-8_0-rc1 curl-8_0 curl-8_0_1",
	} {
		vs := strings.Fields(list)
		for i := range vs {
			for j := range vs {
				if got, want := Compare(typ, vs[i], vs[j]), cmp.Compare(i, j); got != want {
					t.Errorf("%s: %s against %s is %d", typ, vs[i], vs[j], got)
				}
			}
		}
	}
	for v, want := range map[string]bool{"nightly-5dbf984f": true, "release-1.2": false, "src-1.0": false, "beta/v2": true, "1.0": false, "1.0rc1": true, "1.0.post1": false, "1.0-1": false, "v2.0-beta.1": true} {
		if Prerelease("pypi", v) != want {
			t.Errorf("%s is a pre-release: %v", v, !want)
		}
	}
	for _, typ := range []string{"cargo", "nuget", "gem"} { // of a tag, which need not be a version of its ecosystem
		if !Prerelease(typ, "nightly-20230407") || Compare(typ, "nightly-20230407", "20230407") >= 0 {
			t.Errorf("%s: a nightly build is no pre-release", typ)
		}
	}
}

func TestNewest(t *testing.T) {
	for want, list := range map[string][]string{
		"1.10.0": {"1.9.0", "1.10.0", "2.0.0-rc1", "1.2"}, "2.0b1": {"2.0b1", "1.0a1"}, "v3.5.0": {"v3.5.0", "v3.4.9", "dev-main"}, "": nil,
		"99999999999999999999.1": {"99999999999999999999.1", "1"},
	} {
		if got := (&locator{}).newest(list); got != want {
			t.Errorf("%v: got %q", list, got)
		}
	}
}

// Answers of many small values, and of one list whose entries repeat a large one, take the time and memory of their bytes.
func TestHostileAnswers(t *testing.T) {
	list := func(head, each, tail string) string { return head + strings.Repeat(each, 1<<21+1) + tail }
	index := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, text) // a buffer never fails
		_ = z.Close()
		return b.String()
	}
	for name, c := range map[string]struct {
		answer, want string
		err          error
	}{
		"pkg:pypi/a":       {list(`{"files":[`, `{},`, `{}]}`), "", bounded.ErrTooMany},
		"pkg:cargo/a":      {list(`{"dl":"https://x"}`, "{}\n", ""), "", bounded.ErrTooMany},
		"pkg:gem/a":        {list("---\n", "1\n", ""), "", bounded.ErrTooMany},
		"pkg:maven/g/a":    {list("<metadata>", "<a>", ""), "", bounded.ErrTooMany},
		"pkg:maven/g/b":    {list("<metadata ", `a="" `, "/>"), "", bounded.ErrTooMany},
		"pkg:nuget/a":      {list(`{"resources":[`, `{},`, `{}]}`), "", bounded.ErrTooMany},
		"pkg:composer/a/b": {list(`{"packages":{"a/b":[`, `{},`, `{}]}}`), "", bounded.ErrTooMany},
		"pkg:composer/a/c": {`{"packages":{"a/c":[{"version":"1","x":"` + strings.Repeat("y", 8<<20) + `","dist":{"url":"https://x/y","type":"zip"}},` + strings.Repeat(`{},`, 400_000) + `{"version":"2"}]}}`, "pkg:composer/a/c@2", nil},
		"pkg:deb/debian/a": {index(list("", "Package: a\n\n", "")), "", bounded.ErrTooMany},
		"pkg:deb/debian/b": {index("Package: b\nVersion: 1\nChecksums-Sha256:\n" + strings.Repeat(" a\n", 8<<20) + " 00 1 b.orig.tar.gz\n"), "pkg:deb/debian/b@1", nil},
		"pkg:deb/debian/c": {index("Package: c\nX:" + strings.Repeat("y", maxLine)), "", bufio.ErrTooLong},
	} {
		u, err := purl.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r, err := Locate(t.Context(), u, Defaults(), func(context.Context, string, string) ([]byte, error) { return []byte(c.answer), nil })
		if !errors.Is(err, c.err) || r.PURL != c.want {
			t.Errorf("%s: %q, %v", name, r.PURL, err)
		}
		if took := time.Since(start); took > 20*time.Second { // minutes if the cost grows with the square
			t.Errorf("%s took %v", name, took)
		}
	}
}

// A mirror without the suite of updates: the index that could be read tells that a package does not exist.
func TestSuiteMissing(t *testing.T) {
	u, err := purl.Parse("pkg:deb/debian/none")
	if err != nil {
		t.Fatal(err)
	}
	var index bytes.Buffer
	z := gzip.NewWriter(&index)
	if _, err := z.Write([]byte("Package: a\nVersion: 1\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	gone, down := notThere{}, context.DeadlineExceeded
	r := Registries{Debian: []Suite{{Archive: "http://x", Name: "sid", Components: []string{"main"}}, {Archive: "http://x", Name: "updates", Components: []string{"main"}}}}
	for _, c := range []struct {
		name string
		err  error
		all  bool // no index can be read
		none bool // so the archive has no such package
	}{{"one suite is missing", gone, false, true}, {"all are", gone, true, false}, {"one can't be read", down, false, false}} {
		_, err = Locate(t.Context(), u, r, func(_ context.Context, addr, _ string) ([]byte, error) {
			if c.all || strings.Contains(addr, "updates") {
				return nil, c.err
			}
			return index.Bytes(), nil
		})
		if !errors.Is(err, c.err) || errors.Is(err, ErrNone) != c.none {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestNewestIsTold: an error about a version that an index does not have names the newest one.
func TestNewestIsTold(t *testing.T) {
	var index bytes.Buffer
	z := gzip.NewWriter(&index)
	if _, err := z.Write([]byte("Package: a\nVersion: 1:1.10-1\n\nPackage: a\nVersion: 1:1.9-1\n\nPackage: b\nVersion: 7\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r := Registries{Debian: []Suite{{Archive: "http://x", Name: "sid", Components: []string{"main"}}}}
	for name, want := range map[string]string{"pkg:deb/debian/a@2": `the registry has no such version (its newest is "1:1.10-1")`, "pkg:deb/debian/c@7": "the registry has no such version"} {
		u, err := purl.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Locate(t.Context(), u, r, func(context.Context, string, string) ([]byte, error) { return index.Bytes(), nil })
		if !errors.Is(err, ErrNone) || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// notThere is an answer as that of package web.
type notThere struct{}

func (notThere) Error() string { return "not there" }
func (notThere) Missing() bool { return true }

// An answer that is a page for people, or nothing, is not told as a version that does not exist.
func TestPagesForPeople(t *testing.T) {
	for _, page := range []string{"<!DOCTYPE html><html><body><a href=\"/login\">Please log in</a></body></html>", "", "[]", "null"} {
		for _, name := range []string{"pkg:pypi/a@1", "pkg:cargo/a@1", "pkg:gem/a@1", "pkg:composer/a/b@1", "pkg:nuget/a@1", "pkg:deb/debian/a@1"} {
			if page == "null" && strings.Contains("cargo composer nuget", name[4:strings.IndexByte(name, '/')]) {
				continue // an empty document
			}
			u, err := purl.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Locate(t.Context(), u, Defaults(), func(context.Context, string, string) ([]byte, error) { return []byte(page), nil })
			if err == nil || errors.Is(err, ErrNone) || strings.Contains(err.Error(), "Go value") {
				t.Errorf("%s, %.20q: %v", name, page, err)
			}
		}
	}
}

// FuzzLocate answers every request to every registry with the same text: no panic, only web addresses, package URLs
// that can be read back.
func FuzzLocate(f *testing.F) {
	f.Add(uint8(0), `{"dl":"https://x/{crate}"}`)
	f.Add(uint8(1), `{"packages":{"a/b":[{"version":"1","dist":{"url":"https://x/y","type":"zip"}},{"version":"__unset"}]}}`)
	f.Add(uint8(1), `{"packages":{"a/b":[{"version":"1","dist":{"url":"httPs://x/y","type":"zip"}}]}}`)
	f.Add(uint8(3), "1.0 |checksum:e3b0c442\n")
	f.Add(uint8(5), `<metadata><versioning><release>1</release></versioning></metadata>`)
	f.Add(uint8(6), `{"resources":[{"@id":"a/","@type":"PackageBaseAddress/3.0.0"},{"@id":"b","@type":"RegistrationsBaseUrl"}],"versions":["1"],"catalogEntry":{"packageHashAlgorithm":"SHA512","packageHash":"x"}}`)
	f.Add(uint8(7), `{"files":[{"filename":"b-1.tar.gz","url":"file:///etc/passwd","hashes":{"sha256":"00"}}]}`)
	f.Add(uint8(7), `<a href="javascript:x#sha256=00">b-1.tar.gz</a>`)
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		typ := Types[int(which)%len(Types)]
		get := func(context.Context, string, string) ([]byte, error) { return []byte(text), nil }
		for _, version := range []string{"", "1"} {
			u, err := purl.Parse(purl.Make(typ, "a/b", version))
			if err != nil {
				t.Fatal(err)
			}
			if typ == "cargo" || typ == "gem" || typ == "pypi" || typ == "nuget" {
				u.Namespace = ""
			}
			if vs, err := List(t.Context(), u, Defaults(), get); err == nil && len(vs) == 0 {
				t.Fatal("an empty list")
			}
			r, err := Locate(t.Context(), u, Defaults(), get)
			if err != nil {
				continue
			}
			if c, err := purl.Canonical(r.PURL); err != nil || c != r.PURL {
				t.Fatalf("%q: %v", r.PURL, err)
			}
			for _, a := range r.Archives {
				if !strings.HasPrefix(a.URL, "https://") && !strings.HasPrefix(a.URL, "http://") {
					t.Fatalf("%q", a.URL)
				}
			}
		}
	})
}
