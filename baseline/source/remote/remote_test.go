package remote

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

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
	for v, want := range map[string]bool{"1.0": false, "1.0rc1": true, "1.0.post1": false, "1.0-1": false, "v2.0-beta.1": true} {
		if Prerelease("pypi", v) != want {
			t.Errorf("%s is a pre-release: %v", v, !want)
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
