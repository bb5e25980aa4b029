package lockfile

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

// summed has texts with one package each; HEX and BASE64 are replaced by its checksum.
var summed = map[string]string{
	"Cargo.lock":          "[[package]]\nname = \"a\"\nversion = \"1\"\nsource = \"registry+x\"\nchecksum = \"HEX\"\n",
	"old/Cargo.lock":      "[[package]]\nname = \"a\"\nversion = \"1\"\nsource = \"registry+x\"\n[metadata]\n\"checksum a 1 (registry+x)\" = \"HEX\"\n",
	"Gemfile.lock":        "GEM\n  remote: https://rubygems.org/\n  specs:\n    a (1)\n\nCHECKSUMS\n  a (1) sha256=HEX\n",
	"Pipfile.lock":        `{"default":{"a":{"version":"==1","hashes":["sha256:HEX"]}}}`,
	"bun.lock":            `{"packages":{"a":["a@1","",{},"sha256-BASE64"]}}`,
	"composer.lock":       `{"packages":[{"name":"a/a","version":"1","dist":{"type":"zip","url":"https://x.org/a.zip","shasum":"HEX"}}]}`,
	"package-lock.json":   `{"packages":{"node_modules/a":{"version":"1","integrity":"sha256-BASE64"}}}`,
	"1/package-lock.json": `{"dependencies":{"a":{"version":"1","integrity":"sha256-BASE64"}}}`,
	"pdm.lock":            "[[package]]\nname = \"a\"\nversion = \"1\"\nfiles = [{file = \"a-1.tar.gz\", hash = \"sha256:HEX\"}]\n",
	"old/pdm.lock":        "[[package]]\nname = \"a\"\nversion = \"1\"\n[metadata.files]\n\"a 1\" = [{file = \"a-1.tar.gz\", hash = \"sha256:HEX\"}]\n",
	"pnpm-lock.yaml":      "lockfileVersion: '9.0'\npackages:\n  a@1:\n    resolution: {integrity: sha256-BASE64}\n",
	"poetry.lock":         "[[package]]\nname = \"a\"\nversion = \"1\"\nfiles = [{file = \"a-1.tar.gz\", hash = \"sha256:HEX\"}]\n",
	"old/poetry.lock":     "[[package]]\nname = \"a\"\nversion = \"1\"\n[metadata.files]\na = [{file = \"a-1.tar.gz\", hash = \"sha256:HEX\"}]\n",
	"requirements.txt":    "a==1 --hash=sha256:HEX\n",
	"2/requirements.txt":  "a==1 \\\n    --hash sha256:HEX\n",
	"uv.lock":             "[[package]]\nname = \"a\"\nversion = \"1\"\nsource = {registry = \"x\"}\nsdist = {url = \"https://x.org/a\", hash = \"sha256:HEX\"}\n",
	"yarn.lock":           "a@^1:\n  version \"1\"\n  integrity sha256-BASE64\n",
	"1/yarn.lock":         "a@^1:\n  version \"1\"\n  resolved \"https://x.org/a/-/a-1.tgz#HEX\"\n",
}

// lengths are the bytes of checksums other than SHA-256.
var lengths = map[string]int{"composer.lock": 20, "1/yarn.lock": 20}

// An invalid checksum is distinguished from a missing one, in every format with checksums.
func TestUnreadableChecksums(t *testing.T) {
	for name, text := range summed {
		raw := []byte(strings.Repeat("x", cmp.Or(lengths[name], 32)))
		for what, sum := range map[string][2]string{
			"good":      {hex.EncodeToString(raw), base64.StdEncoding.EncodeToString(raw)},
			"damaged":   {"zz" + hex.EncodeToString(raw)[2:], "!!!!" + base64.StdEncoding.EncodeToString(raw)[4:]},
			"too short": {"7878", "eHg="},
		} {
			f, err := Of(name).Read([]byte(strings.NewReplacer("HEX", sum[0], "BASE64", sum[1]).Replace(text)), Poms{})
			if err != nil || len(f.Pins) != 1 {
				t.Fatalf("%s: %v, %v", name, f, err)
			}
			if p := f.Pins[0]; (p.Integrity != "") != (what == "good") || (p.Unreadable == "") != (what == "good") {
				t.Errorf("%s, %s: integrity %q, unreadable %q", name, what, p.Integrity, p.Unreadable)
			}
		}
	}
}

// Cargo wrote <none> for a crate without a checksum.
func TestCargoNone(t *testing.T) {
	f, err := Of("Cargo.lock").Read([]byte("[[package]]\nname = \"a\"\nversion = \"1\"\nsource = \"registry+x\"\n[metadata]\n\"checksum a 1 (registry+x)\" = \"<none>\"\n"), Poms{})
	if err != nil || len(f.Pins) != 1 || f.Pins[0].Integrity+f.Pins[0].Unreadable != "" {
		t.Errorf("%v, %v", f, err)
	}
}

// One valid checksum is enough. A checksum of an unknown algorithm counts as none.
func TestSomeReadable(t *testing.T) {
	good := hex.EncodeToString([]byte(strings.Repeat("x", 32)))
	for in, unreadable := range map[string]string{
		"a==1 --hash=sha256:" + good + " --hash=blake2b:00": "",
		"a==1 --hash=blake2b:00 --hash=sha3_256:" + good:    "sha3_256:" + good,
		"a==1 --hash=sha256:":                               "sha256:",
		"a==1":                                              "",
	} {
		f, err := Of("requirements.txt").Read([]byte(in), Poms{})
		if err != nil || len(f.Pins) != 1 || f.Pins[0].Unreadable != unreadable {
			t.Errorf("%s: %v, %v", in, f, err)
		}
	}
}
