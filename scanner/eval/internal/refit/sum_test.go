package refit

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
)

// TestSum: the terms of a finding add up to its bits.
func TestSum(t *testing.T) {
	if lang.ByName("go") == nil {
		t.Skip("no grammars")
	}
	ctx, dir := context.Background(), t.TempDir()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	check(t, err)
	std := filepath.Join(strings.TrimSpace(string(root)), "src", "strings")
	text, err := os.ReadFile(filepath.Join(std, "replace.go"))
	if err != nil {
		t.Skip(err)
	}
	pkgs, err := source.Open(ctx, std, source.Options{PURL: "pkg:generic/strings@1", Offline: true})
	check(t, err)
	b, err := corpus.IndexPackages(ctx, filepath.Join(dir, "base"), baseline.Defaults, pkgs)
	check(t, err)
	check(t, b.Close())
	target := filepath.Join(dir, "target")
	check(t, os.Mkdir(target, 0o755))
	edited := strings.NewReplacer("trieNode", "knot", "lookup", "ask", "priority", "rank", "bestPriority", "priority").Replace(string(text))
	check(t, os.WriteFile(filepath.Join(target, "replace.go"), []byte(edited), 0o644))
	var out bytes.Buffer
	check(t, Sum(ctx, []string{"-baseline", filepath.Join(dir, "base"), target}, &out))
	term := regexp.MustCompile(`^ *(-?[0-9.]+)  (.*)$`)
	added, terms, sums := 0.0, 0, 0
	for line := range strings.SplitSeq(out.String(), "\n") {
		m := term.FindStringSubmatch(line)
		if m == nil {
			added = 0
			continue
		}
		bits, err := strconv.ParseFloat(m[1], 64)
		check(t, err)
		switch {
		case strings.HasPrefix(m[2], "this region"), m[2] == "in all":
			sums++
			if math.Abs(max(0, added)-bits) > 0.6 {
				t.Errorf("the terms add up to %.1f, not to %.1f:\n%s", added, bits, &out)
			}
			added = bits
		case bits != 0:
			terms++
			added += bits
		}
	}
	if sums < 2 || terms < 4 {
		t.Errorf("%d sums of %d terms:\n%s", sums, terms, &out)
	}
}
