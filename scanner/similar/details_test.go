package similar

import (
	"reflect"
	"testing"
	"testing/quick"
)

// Matches come back from their file as they were, from either side.
func TestMatchesComeBack(t *testing.T) {
	d, err := newDetails(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	check := func(ms []Match) bool {
		for i := range ms {
			ms[i].Text = nil // kept of few pairs, in memory
			if len(ms[i].Renames) == 0 {
				ms[i].Renames = nil
			}
			if len(ms[i].Runs) == 0 {
				ms[i].Runs = nil
			}
		}
		k, err := d.keep(ms)
		if err != nil || len(ms) == 0 {
			return err == nil && k.size == 0
		}
		got, err := d.load(k)
		if err != nil || !reflect.DeepEqual(got, ms) {
			return false
		}
		k.swapped = true
		back, err := d.load(k)
		return err == nil && reflect.DeepEqual(back[0], ms[0].swapped())
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 50}); err != nil {
		t.Error(err)
	}
}

// A match shorter than asked for is not listed.
func TestShortMatchesAreLeftOut(t *testing.T) {
	a, b := folder("a", map[string]string{"x.go": shared + function(1)}), folder("b", map[string]string{"y.go": shared + function(2)})
	o := options(1)
	if r := compared(t, o, a, b); len(r.Pairs) != 1 || r.Pairs[0].SharedA < 54 {
		t.Fatalf("%+v", r.Pairs)
	}
	o.Scan.MinTokens = 120
	if r := compared(t, o, a, b); len(r.Pairs) != 0 {
		t.Errorf("a match of fewer than 120 tokens: %+v", r.Pairs)
	}
}
