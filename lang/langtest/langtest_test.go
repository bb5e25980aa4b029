package langtest

import (
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

func TestFrontEnds(t *testing.T) {
	if !lang.HasGrammars {
		t.Skip("built without cgo: there are no grammars")
	}
	for _, s := range Samples(t) {
		t.Run(s.Language.Name, func(t *testing.T) { Run(t, s) })
	}
}
