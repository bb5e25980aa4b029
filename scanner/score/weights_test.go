package score

import (
	"reflect"
	"testing"
)

// TestWeights: each weight has a unit and a value. All weights except one, which is no part of the loss, have the measured effect
// of moving them.
func TestWeights(t *testing.T) {
	v := reflect.ValueOf(*DefaultWeights())
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Tag.Get("unit") == "" || f.Tag.Get("fifth") == "" && f.Name != "SameText" {
			t.Errorf("%s: tag %q", f.Name, f.Tag)
		}
		if v.Field(i).Float() < 0 {
			t.Errorf("%s stands at %v: what is taken off is positive too", f.Name, v.Field(i))
		}
	}
	if w := DefaultWeights(); w.VerbatimMost+w.BriefUnchanged > 1 {
		t.Error("the bound of renamed code leaves out the bits that few names differ")
	}
}
