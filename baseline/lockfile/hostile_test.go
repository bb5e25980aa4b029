package lockfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// whole has a text of each format with packages a, b and c, of which a needs the others.
var whole = map[string]string{
	"Cargo.lock": "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"registry+x\"\ndependencies = [\n \"b\",\n \"c 1.0.0\",\n]\n\n" +
		"[[package]]\nname = \"b\"\nversion = \"1.0.0\"\nsource = \"registry+x\"\n\n[[package]]\nname = \"c\"\nversion = \"1.0.0\"\nsource = \"registry+x\"\n",
	"x.cdx.json":       `{"bomFormat":"CycloneDX","components":[{"name":"a","purl":"pkg:npm/a@1.0.0"},{"name":"b","purl":"pkg:npm/b@1.0.0"}]}`,
	"Gemfile.lock":     "GEM\n  remote: https://rubygems.org/\n  specs:\n    a (1.0.0)\n      b\n    b (1.0.0)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  a\n\nBUNDLED WITH\n   2.4.0\n",
	"Package.resolved": `{"pins":[{"identity":"a","kind":"remoteSourceControl","location":"https://example.org/x/a","state":{"version":"1.0.0"}}],"version":3}`,
	"Podfile.lock":     "PODS:\n  - a (1.0.0):\n    - b\n    - \"c/x+y (~> 1)\"\n  - b (1.0.0)\n  - \"c/x+y (1.0.0)\"\n\nDEPENDENCIES:\n  - a (= 1.0.0)\n\nSPEC CHECKSUMS:\n  a: 0123\n\nCOCOAPODS: 1.11.2\n",
	"Pipfile.lock":     `{"_meta":{},"default":{"a":{"version":"==1.0.0"}},"develop":{"b":{"version":"==1.0.0"}},"docs":{"c":{"version":"==1.0.0"}}}`,
	"x.spdx.json": `{"spdxVersion":"SPDX-2.3","packages":[{"name":"a","externalRefs":[{"referenceType":"purl","referenceLocator":"pkg:npm/a@1.0.0"}]},` +
		`{"name":"b","externalRefs":[{"referenceType":"purl","referenceLocator":"pkg:npm/b@1.0.0"}]}]}`,
	"3/x.spdx.json":       `{"@graph":[{"type":"software_Package","name":"a","software_packageUrl":"pkg:npm/a@1.0.0"},{"type":"software_Package","name":"b","software_packageUrl":"pkg:npm/b@1.0.0"}]}`,
	"build.gradle":        "dependencies {\n  implementation 'x:a:1.0.0'\n  implementation 'x:b:1.0.0'\n}\n",
	"bun.lock":            "{\n \"packages\": {\n  \"a\": [\"a@1.0.0\", \"\", {}, \"\"],\n  \"b\": [\"b@1.0.0\", \"\", {}, \"\"],\n },\n}\n",
	"composer.lock":       `{"packages":[{"name":"x/a","version":"1.0.0"},{"name":"x/b","version":"1.0.0"}],"packages-dev":[]}`,
	"gradle.lockfile":     "x:a:1.0.0=compileClasspath\nx:b:1.0.0=compileClasspath\nempty=annotationProcessor\n",
	"package-lock.json":   `{"lockfileVersion":3,"packages":{"":{},"node_modules/a":{"version":"1.0.0"},"node_modules/b":{"version":"1.0.0"}}}`,
	"1/package-lock.json": `{"lockfileVersion":1,"dependencies":{"a":{"version":"1.0.0","resolved":false},"b":{"version":"1.0.0"}}}`,
	"packages.lock.json":  `{"version":1,"dependencies":{"net8.0":{"a":{"resolved":"1.0.0"},"b":{"resolved":"1.0.0"}}}}`,
	"pdm.lock": "[metadata]\ncontent_hash = \"x\"\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\ndependencies = [\n    \"B>=1\",\n    \"c\",\n]\n\n" +
		"[[package]]\nname = \"b\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"c\"\nversion = \"1.0.0\"\n",
	"pnpm-lock.yaml": "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      a:\n        specifier: ^1\n        version: 1.0.0(b@1.0.0)\n      z:\n        specifier: npm:c@1\n        version: c@1.0.0\n\n" +
		"packages:\n\n  a@1.0.0:\n    resolution: {integrity: x}\n\n  b@1.0.0:\n    resolution: {integrity: x}\n\n  c@1.0.0:\n    resolution: {integrity: x}\n\n" +
		"snapshots:\n\n  a@1.0.0(b@1.0.0):\n    dependencies:\n      b: 1.0.0\n\n  b@1.0.0: {}\n\n  c@1.0.0: {}\n",
	"5/pnpm-lock.yaml": "lockfileVersion: 5.4\n\ndependencies:\n  a: 1.0.0_b@1.0.0\n  z: /c/1.0.0\n\npackages:\n\n  /a/1.0.0_b@1.0.0:\n    dependencies:\n      b: 1.0.0\n\n  /b/1.0.0:\n    dev: false\n\n  /c/1.0.0:\n    dev: false\n",
	"poetry.lock":      "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"b\"\nversion = \"1.0.0\"\n\n[metadata]\nlock-version = \"2.0\"\n",
	"pom.xml":          "<project>\n<dependencies><dependency><groupId>x</groupId><artifactId>a</artifactId><version>1.0.0</version></dependency></dependencies>\n<profiles><profile><dependencies><dependency><groupId>x</groupId><artifactId>b</artifactId><version>1.0.0</version></dependency></dependencies></profile></profiles>\n</project>\n",
	"uv.lock": "version = 1\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = { registry = \"x\" }\ndependencies = [\n    { name = \"b\" },\n    { name = \"c\" },\n]\n\n" +
		"[[package]]\nname = \"b\"\nversion = \"1.0.0\"\nsource = { registry = \"x\" }\n\n[[package]]\nname = \"c\"\nversion = \"1.0.0\"\nsource = { registry = \"x\" }\n",
	"yarn.lock": "# yarn lockfile v1\n\n\na@^1:\n  version \"1.0.0\"\n  resolved \"https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#0123\"\n  dependencies:\n    \"b\" \"^1\"\n    c \"^1\"\n\n" +
		"b@^1:\n  version \"1.0.0\"\n\nc@^1:\n  version \"1.0.0\"\n",
	"2/yarn.lock": "__metadata:\n  version: 8\n\n\"a@npm:^1\":\n  version: 1.0.0\n  resolution: \"a@npm:1.0.0\"\n  dependencies:\n    b: \"npm:^1\"\n    c: \"npm:^1\"\n\n" +
		"\"b@npm:^1\":\n  version: 1.0.0\n  resolution: \"b@npm:1.0.0\"\n\n\"c@npm:^1\":\n  version: 1.0.0\n  resolution: \"c@npm:1.0.0\"\n",
}

// written has the formats that people write. Nothing in them tells whether the end is missing.
var written = []string{"requirements.txt", "pyproject.toml", "libs.versions.toml"}

// Of a text that is cut off anywhere behind its first entry no package is lost in silence.
func TestCutOff(t *testing.T) {
	for i := range Formats {
		covered := slices.Contains(written, Formats[i].Name)
		for name := range whole {
			covered = covered || Of(name) == &Formats[i]
		}
		if !covered {
			t.Errorf("no text of %s is cut", Formats[i].Name)
		}
	}
	for name, in := range whole {
		f, err := Of(name).Read([]byte(in), Poms{})
		if err != nil || len(f.Left) > 0 || len(f.Pins) < 1 {
			t.Fatalf("%s: %v, %v", name, f, err)
		}
		first := strings.Index(in, "1.0.0") + 5
		if at := strings.Index(in, "\n\n[[package]]\nname = \"b\""); at > 0 {
			first = at
		} else if at := strings.Index(in, "\n\nb@"); at > 0 {
			first = at
		} else if at := strings.Index(in, "\n\n\"b@"); at > 0 {
			first = at
		}
		for n := first; n < len(in); n++ {
			cut, err := Of(name).Read([]byte(in[:n]), Poms{})
			told := err != nil || len(cut.Left) > 0
			if name == "Cargo.lock" && strings.HasSuffix(in[:n], "version = \"1.0.0\"\n") {
				continue // the last entry looks like a crate of the project
			}
			if !told && text(cut) != text(f) {
				t.Errorf("%s cut at %d: %q\ngives in silence\n%s", name, n, in[max(0, n-30):n], text(cut))
				break
			}
		}
	}
}

// The package.json beside a yarn.lock of version 1 tells which packages have no entry.
func TestCutBehindWhole(t *testing.T) {
	manifest := `{"dependencies":{"a":"^1","z":"npm:y@1","own":"link:own"},"devDependencies":{"x":"^1"}}`
	for in, want := range map[string]string{manifest: "- x: not-listed needed by package.json\n- z: not-listed needed by package.json\n", `{"workspaces":["p"],"dependencies":{"p":"1"}}`: ""} {
		f, err := Of("yarn.lock").Read([]byte(whole["yarn.lock"]), Poms{Tree: func(rel string) []byte {
			return map[string][]byte{"package.json": []byte(in)}[rel]
		}})
		if f.Pins = nil; err != nil || text(f) != want {
			t.Errorf("%s: %v, %s", in, err, text(f))
		}
	}
}

// A requirements file that goes on behind its end is cut off.
func TestCutRequirement(t *testing.T) {
	f, err := Of("requirements.txt").Read([]byte("a==1.0 \\\n    --hash=sha256:00 \\"), Poms{})
	if err != nil || !slices.ContainsFunc(f.Left, func(l Left) bool { return l.Reason == ReasonCut }) {
		t.Errorf("%v, %v", f, err)
	}
}

// Each of two equal keys counts.
func TestDuplicateKeys(t *testing.T) {
	for name, in := range map[string]string{
		"package-lock.json":   `{"packages":{"node_modules/a":{"version":"1"},"node_modules/a":{"version":"2"}},"packages":{"node_modules/b":{"version":"3"}}}`,
		"1/package-lock.json": `{"dependencies":{"a":{"version":"1"},"a":{"version":"2"}},"dependencies":{"b":{"version":"3"}}}`,
		"bun.lock":            `{"packages":{"a":["a@1"],"a":["a@2"]},"packages":{"b":["b@3"]}}`,
		"Pipfile.lock":        `{"default":{"a":{"version":"==1"},"a":{"version":"==2"}},"default":{"b":{"version":"==3"}}}`,
		"packages.lock.json":  `{"dependencies":{"n":{"a":{"resolved":"1"},"a":{"resolved":"2"}}},"dependencies":{"n":{"b":{"resolved":"3"}}}}`,
		"yarn.lock":           "a@1:\n  version \"1\"\n\na@1:\n  version \"2\"\n\nb@3:\n  version \"3\"\n",
		"Cargo.lock":          "[[package]]\nname=\"a\"\nversion=\"1\"\nsource=\"registry+x\"\n[[package]]\nname=\"a\"\nversion=\"2\"\nsource=\"registry+x\"\n[[package]]\nname=\"b\"\nversion=\"3\"\nsource=\"registry+x\"\n",
	} {
		f, err := Of(name).Read([]byte(in), Poms{})
		got := ""
		for _, p := range f.Pins {
			got += p.PURL[len(p.PURL)-3:] + " "
		}
		if err != nil || got != "a@1 a@2 b@3 " {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	for name, in := range map[string]string{ // these formats forbid equal keys
		"pnpm-lock.yaml": "packages:\n  a@1: {}\n  a@1: {}\n", "2/yarn.lock": "__metadata: {}\n\"a@npm:1\": {resolution: \"a@npm:1\"}\n\"a@npm:1\": {resolution: \"a@npm:2\"}\n",
		"poetry.lock": "[metadata]\n[metadata]\n", "uv.lock": "[[package]]\nname = \"a\"\nversion = \"1\"\n[package.source]\nurl = \"u\"\n[package.sourCe]\nregistry = \"r\"\n",
	} {
		if f, err := Of(name).Read([]byte(in), Poms{}); err == nil {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// Texts whose cost could grow faster than their size are read, or refused, within the time that their bytes take.
func TestHostileCost(t *testing.T) {
	many := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line, i)
		}
		return b.String()
	}
	chain := strings.Repeat("a.", 1<<19)
	for name, in := range map[string]string{
		"uv.lock":               chain + "a=1\n",
		"poetry.lock":           "[" + chain + "a]\n",
		"Cargo.lock":            "x = {" + strings.Repeat(`"a" . `, 1<<18) + "a = 1}\n",
		"requirements.txt":      many(50_000, "a==1 --hash=sha256:%064x\n"),
		"2/requirements.txt":    many(50_000, "a==1; python_version == '%d'\n"),
		"package-lock.json":     `{"packages":{` + many(50_000, `"node_modules/x%d/node_modules/a":{"version":"1","optional":true,"os":["o%[1]d"]},`) + `"":{}}}`,
		"2/package-lock.json":   `{"packages":{` + many(80_000, `"node_modules/x%d/node_modules/a":{"version":"1","optional":true,"dependencies":{"a":"1","b":"1","c":"1"}},`) + `"":{}}}`,
		"pnpm-lock.yaml":        strings.Repeat("- ", 1<<19),
		"2/pnpm-lock.yaml":      "a: &a [x,x,x,x,x,x,x,x,x]\n" + many(9, "b%d: [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"),
		"pom.xml":               strings.Repeat("<a>", 1<<19),
		"2/pom.xml":             "<project>" + strings.Repeat("<dependencies>", 1<<17),
		"build.gradle":          strings.Repeat("dependencies {", 1<<16),
		"2/build.gradle":        "dependencies {" + strings.Repeat("\"\n", 1<<18),
		"x.cdx.json":            `{"bomFormat":"CycloneDX","components":[` + strings.Repeat(`{"components":[`, 999),
		"gradle.lockfile":       strings.Repeat(":", 1<<20),
		"Gemfile.lock":          "GEM\n  specs:\n" + many(50_000, "    a (%d)\n") + "\nDEPENDENCIES\n",
		"Podfile.lock":          "PODS:\n" + many(50_000, "  - a%d (1):\n    - b%[1]d (1)\n"),
		"yarn.lock":             many(50_000, "a@%d:\n  version \"1\"\n  dependencies:\n    b \"1\"\n"),
		"3/pnpm-lock.yaml":      "packages:\n" + many(150_000, "  a%d@1: {}\n"),
		"4/pnpm-lock.yaml":      "packages:\n  a@1: &a {dependencies: {b: 1}}\n" + many(150_000, "  a%d@1: *a\n"),
		"5/pnpm-lock.yaml":      "packages:\n  a@1:\n    dependencies:\n" + many(150_000, "      a%d: 1\n"),
		"2/yarn.lock":           "__metadata: {}\n" + many(150_000, "\"a%d@npm:1\": {resolution: \"a@npm:1\"}\n"),
		"deep/requirements.txt": strings.Repeat("-r x.txt\n", 1<<17),
	} {
		start := time.Now()
		_, err := Of(name).Read([]byte(in), Poms{Tree: func(string) []byte { return []byte(in) }})
		if took := time.Since(start); took > time.Minute { // with a machine to itself each takes some seconds; some take minutes if the cost grows with the square
			t.Errorf("%s: %.40q of %d bytes took %v: %v", name, in, len(in), took, err)
		}
	}
}

// Texts of many empty values are refused before they are decoded, which would take a hundred times their size.
func TestHostileMemory(t *testing.T) {
	for name, c := range map[string][3]string{
		"package-lock.json":  {`{"packages":{`, `"":{},`, `"":{}}}`},
		"composer.lock":      {`{"packages":[`, `{},`, `{}]}`},
		"Package.resolved":   {`{"version":3,"pins":[`, `{},`, `{}]}`},
		"x.spdx.json":        {`{"@graph":[`, `{},`, `{}]}`},
		"bom.json":           {`{"bomFormat":"CycloneDX","components":[`, `{},`, `{}]}`},
		"Pipfile.lock":       {`{"default":{`, `"a":{},`, `"a":{}}}`},
		"packages.lock.json": {`{"dependencies":{"n":{`, `"a":{},`, `"a":{}}}}`},
		"bun.lock":           {`{"packages":{"a":[`, `{},`, `{}]}}`},
		"pnpm-lock.yaml":     {"packages: [", "a,", "b]\n"},
		"2/pnpm-lock.yaml":   {"packages:\n", "- a\n", ""},
		"yarn.lock":          {"__metadata: {}\nx: [", "{},", "b]\n"},
		"Cargo.lock":         {"x = [", "{},", "{}]\n"},
		"poetry.lock":        {"x = [", "1,", "1]\n"},
		"uv.lock":            {"", "[[package]]\n", ""},
		"libs.versions.toml": {"[libraries]\n", "a=1\n", ""},
		"pom.xml":            {"<project>", "<a>", ""},
		"2/pom.xml":          {"<project ", `a="" `, "/>"},
	} {
		in := c[0] + strings.Repeat(c[1], min(1<<21, (MaxBytes-100)/len(c[1]))) + c[2]
		if f, err := Of(name).Read([]byte(in), Poms{}); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %d pins, %v", name, len(f.Pins), err)
		}
	}
}

// Names and addresses that a terminal or a shell would act on lead into no message and no command.
func TestHostileText(t *testing.T) {
	for _, bad := range []string{"a\x1b[2Jb", "a\u009b2Jb", "a\u202eb", "a\u200bb", "a\tb", "a\u2028b"} {
		quoted := fmt.Sprintf("%q", bad)
		if !strings.Contains(quoted, `\u`) { // as JSON has it
			quoted = strings.NewReplacer(`\x1b`, `\u001b`).Replace(quoted)
		}
		for name, in := range map[string]string{
			"package-lock.json": `{"packages":{"node_modules/x":{"name":` + quoted + `,"version":"1"},"node_modules/y":{"version":` + quoted + `},"node_modules/z":{"version":"1","resolved":` + quoted + `}}}`,
			"composer.lock":     `{"packages":[{"name":` + quoted + `,"version":"1"},{"name":"x/y","version":` + quoted + `}]}`,
			"requirements.txt":  bad + "==1\nb==" + bad + "\nc @ https://x.org/" + bad + "\n-r " + bad + ".txt\n",
			"Gemfile.lock":      "GEM\n  specs:\n    " + bad + " (1)\n    b (" + bad + ")\n\nDEPENDENCIES\n",
			"Podfile.lock":      "PODS:\n  - " + bad + " (1)\n  - b (" + bad + ")\n  - " + bad + "\n\nCOCOAPODS: 1\n",
			"gradle.lockfile":   bad + ":b:1=x\na:b:" + bad + "=x\nempty=\n",
		} {
			f, err := Of(name).Read([]byte(in), Poms{})
			if err != nil || strings.Contains(text(f), strings.Trim(bad, "ab2J[")) {
				t.Errorf("%s with %q: %v, %q", name, bad, err, text(f))
			}
			if len(f.Left) == 0 {
				t.Errorf("%s with %q: nothing is left out: %q", name, bad, text(f))
			}
		}
	}
}

// PowerShell writes what it redirects in UTF-16, editors on Windows with a byte order mark. Old poms are in Latin-1.
func TestEncodings(t *testing.T) {
	wide := func(order binary.AppendByteOrder, s string) string {
		var out []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
			out = order.AppendUint16(out, u)
		}
		return string(out)
	}
	pom := "<project><name>M\xfcller</name><dependencies><dependency><groupId>x</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>"
	for in, name := range map[string]string{
		wide(binary.LittleEndian, "a==1\r\n"): "requirements.txt", wide(binary.BigEndian, "a==1\n"): "requirements.txt", "\ufeffa==1\n": "requirements.txt",
		"\ufeff" + `{"packages":{"node_modules/a":{"version":"1"}}}`: "package-lock.json",
		pom: "pom.xml", `<?xml version="1.0" encoding="ISO-8859-1"?>` + pom: "pom.xml",
	} {
		if f, err := Of(name).Read([]byte(in), Poms{}); err != nil || len(f.Pins) != 1 || len(f.Left) != 0 {
			t.Errorf("%s, %q: %v, %v", name, in, f, err)
		}
	}
	if got := utf8Of([]byte("\xff\xfea")); !bytes.Equal(got, []byte{}) {
		t.Errorf("%q", got)
	}
}

// A requirements file includes others that the repository has. Nothing else is read: what a line holds may be shown.
func TestIncluded(t *testing.T) {
	var asked []string
	tree := func(rel string) []byte {
		asked = append(asked, rel)
		return map[string][]byte{"base.txt": []byte("a==1\n-r requirements/more.in\n"), "requirements/more.in": []byte("b==1\n-r ../base.txt\n-r gone.txt\n")}[rel]
	}
	in := "-r base.txt\n-rbase.txt\n--requirement=/etc/hosts.txt\n-r .git/config\n--requirement https://127.0.0.1/x.txt\n-r ../.aws/x.txt\n-c limits.txt\n"
	f, err := Of("requirements.txt").Read([]byte(in), Poms{Tree: tree})
	want := "pkg:pypi/a@1\npkg:pypi/b@1\n- ../.aws/x.txt: included\n- .git/config: included\n- /etc/hosts.txt: included\n- gone.txt: included\n- https://127.0.0.1/x.txt: included\n"
	if err != nil || text(f) != want || !slices.Equal(asked, []string{"base.txt", "requirements/more.in", "requirements/gone.txt", "https:/127.0.0.1/x.txt"}) {
		t.Errorf("%v, %s%q", err, text(f), asked)
	}
}
