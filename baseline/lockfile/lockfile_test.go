package lockfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// text renders a File, one line per entry.
func text(f File) string {
	var b strings.Builder
	for _, p := range f.Pins {
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintf("%s %s %s", p.PURL, p.Integrity, p.Address)))
	}
	for _, l := range f.Left {
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintf("- %s: %s %s", l.Name, l.Reason, l.Detail)))
	}
	return b.String()
}

// Each file of testdata has a text in its format and, below the line "== pins", the expected result.
func TestFormats(t *testing.T) {
	names, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range names {
		if strings.Contains(name, "fuzz") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in, want, ok := strings.Cut(string(data), "== pins\n")
		f := Of(name)
		if !ok || f == nil {
			t.Errorf("%s: no format, or no pins to compare with", name)
			continue
		}
		seen[f.Name] = true
		got, err := f.Read([]byte(in), testPoms)
		if os.Getenv("UPDATE_PINS") != "" && err == nil {
			if err := os.WriteFile(name, []byte(in+"== pins\n"+text(got)), 0o644); err != nil {
				t.Fatal(err)
			}
			want = text(got)
		}
		if err != nil || text(got) != want {
			t.Errorf("%s: %v, got\n%swant\n%s", name, err, text(got), want)
		}
		again, err := f.Read([]byte(strings.ReplaceAll(in, "\n", "\r\n")), testPoms)
		if err != nil || text(again) != want {
			t.Errorf("%s with CRLF: %v, got\n%swant\n%s", name, err, text(again), want)
		}
	}
	for _, f := range Formats {
		if !seen[f.Name] {
			t.Errorf("%s has no example in testdata", f.Name)
		}
	}
}

var testPoms = Poms{
	Tree: func(rel string) []byte {
		if rel != "../pom.xml" {
			return nil
		}
		return []byte(`<project><groupId>org.example</groupId><artifactId>parent</artifactId><version>3</version>
<properties><slf4j.version>2.0.9</slf4j.version><x>${x}</x></properties>
<parent><groupId>org.far</groupId><artifactId>far</artifactId><version>1</version><relativePath/></parent></project>`)
	},
	Repo: func(group, artifact, version string) []byte {
		switch group + ":" + artifact + ":" + version {
		case "org.far:far:1":
			return []byte(`<project><dependencyManagement><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version></dependency></dependencies></dependencyManagement></project>`)
		case "org.list:bom:7":
			return []byte(`<project><properties><v>5.3</v></properties><dependencyManagement><dependencies><dependency><groupId>org.list</groupId><artifactId>core</artifactId><version>${v}</version></dependency></dependencies></dependencyManagement></project>`)
		}
		return nil
	},
}

func TestOf(t *testing.T) {
	for name, want := range map[string]string{
		"a/b/Cargo.lock": "Cargo.lock", "requirements-dev.txt": "requirements.txt", "dev-requirements.txt": "requirements.txt",
		"buildscript-gradle.lockfile": "gradle.lockfile", "npm-shrinkwrap.json": "package-lock.json", "x.cdx.json": "CycloneDX JSON",
		"requirement.txt": "", "package.json": "", "go.sum": "", "Cargo.lock.orig": "",
	} {
		got := ""
		if f := Of(name); f != nil {
			got = f.Name
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// A text in another format than its name says is an error. A text with too many or too deeply nested entries is refused
// before it is parsed.
func TestRefused(t *testing.T) {
	for name, in := range map[string]string{
		"Cargo.lock":         "[[package",
		"poetry.lock":        "package = 3",
		"package-lock.json":  "<html>",
		"composer.lock":      "[]",
		"pnpm-lock.yaml":     "packages: [1, 2]",
		"pom.xml":            "{}",
		"packages.lock.json": strings.Repeat("[", 2000),
		"uv.lock":            "a = " + strings.Repeat("[", 1_000_000),
	} {
		if f, err := Of(name).Read([]byte(in), Poms{}); err == nil {
			t.Errorf("%s: %.20q is read as %v", name, in, f)
		}
	}
}

// Names and versions that become parts of paths stay below their directory.
func TestHostileNames(t *testing.T) {
	in := `{"packages":{"node_modules/a":{"name":"../../etc","version":"1"},"node_modules/b":{"version":"../1"},"node_modules/c":{"version":"1\u0000"},
"node_modules/d":{"name":"/etc/passwd","version":"1"},"node_modules/e":{"version":"1?x=http://127.0.0.1"}}}`
	f, err := Of("package-lock.json").Read([]byte(in), Poms{})
	if err != nil || len(f.Pins) != 0 || len(f.Left) != 5 {
		t.Errorf("%v, %v", f, err)
	}
}

// FuzzFormats reads any input in every format: no panic, package URLs that can be read back, names that stay below a
// directory, and the same result the second time.
func FuzzFormats(f *testing.F) {
	names, err := filepath.Glob("testdata/*/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		if filepath.Base(filepath.Dir(name)) == "fuzz" {
			continue // inputs that failed once; go test reads them itself
		}
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if in, _, ok := strings.Cut(string(data), "== pins\n"); ok {
			for i := range Formats {
				if Of(name) == &Formats[i] {
					f.Add(uint8(i), in)
				}
			}
		}
	}
	for name, in := range whole {
		for i := range Formats {
			if Of(name) == &Formats[i] {
				f.Add(uint8(i), in)
				f.Add(uint8(i), in[:len(in)/2])
				f.Add(uint8(i), in+in)
				f.Add(uint8(i), strings.NewReplacer("1.0.0", "../1", "https://", "http://169.254.169.254/", "\"b\"", "\"b\\u001b[2J\"").Replace(in))
				f.Add(uint8(i), "\ufeff"+strings.Repeat("[{", 600)+in)
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, in string) {
		format := &Formats[int(which)%len(Formats)]
		first, err := format.Read([]byte(in), testPoms)
		second, err2 := format.Read([]byte(in), testPoms)
		if text(first) != text(second) || (err == nil) != (err2 == nil) {
			t.Fatalf("%s: %v, then %v", format.Name, err, err2)
		}
		for i, p := range first.Pins {
			u, err := purl.Parse(p.PURL)
			if c, _ := purl.Canonical(p.PURL); err != nil || c != p.PURL || u.Version == "" || i > 0 && p.PURL <= first.Pins[i-1].PURL {
				t.Fatalf("%s: %q: %v", format.Name, p.PURL, err)
			}
			if local := filepath.IsLocal(filepath.Join("x", purl.FullName(u)+"-"+u.Version)); !local || strings.Contains(purl.FullName(u), "..") && !safe(purl.FullName(u)) {
				t.Fatalf("%s: %q leads elsewhere", format.Name, p.PURL)
			}
		}
	})
}
