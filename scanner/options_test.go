package scanner_test

import (
	"math"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
)

// TestOptionsOutOfRange checks that a value with which a scan would find nothing is refused and not replaced.
func TestOptionsOutOfRange(t *testing.T) {
	bases := []*baseline.Baseline{stdBaseline(t)}
	if _, err := scanner.New(bases, scanner.Defaults()); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*scanner.Options){
		"MinTokens":   func(o *scanner.Options) { o.MinTokens = 0 },
		"MinScore":    func(o *scanner.Options) { o.MinScore = math.NaN() },
		"Common":      func(o *scanner.Options) { o.Common = 0 },
		"MaxOrigins":  func(o *scanner.Options) { o.MaxOrigins = 0 },
		"MaxFileSize": func(o *scanner.Options) { o.MaxFileSize = 0 },
		"Workers":     func(o *scanner.Options) { o.Workers = -1 },
	} {
		o := scanner.Defaults()
		change(&o)
		if _, err := scanner.New(bases, o); err == nil || !strings.Contains(err.Error(), "option "+name+" ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLargestMaxFileSize checks that no file is read as empty because the limit plus one overflows.
func TestLargestMaxFileSize(t *testing.T) {
	dir := stdFiles(t, "strings/replace.go").dir(t)
	one(t, tree(t, scan(t, scanner.Options{Options: examine.Options{MaxFileSize: math.MaxInt64}}, stdBaseline(t)), dir))
}
