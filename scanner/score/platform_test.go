package score

import (
	"testing"

	"github.com/git-provenance/git-provenance/baseline/model"
)

// TestPlatformNames: a platform name has few bits, however rare it is in the frequency models. The bound without the document
// agrees.
func TestPlatformNames(t *testing.T) {
	c := model.Frequencies{model.API().Of("java")}
	w := DefaultWeights()
	for name, want := range map[string]float64{"preVisitDirectory": w.Platform, "preVisitOwnThing": w.RareName, "of": w.Short} {
		if got := w.name(rarity(c, []byte(name), len(name))); got != want {
			t.Errorf("%s carries %v bits, not %v", name, got, want)
		}
		if got := w.known(c, len(name), model.NameHash([]byte(name))); got != want {
			t.Errorf("%s carries at most %v bits, not %v", name, got, want)
		}
	}
}
