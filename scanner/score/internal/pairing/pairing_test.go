package pairing

import (
	"fmt"
	"slices"
	"testing"
)

// TestTable: names with equal hashes stay apart, pairs are counted, the most frequent comes first, and a reset forgets all.
func TestTable(t *testing.T) {
	var table Table
	for range 2 {
		table.Reset()
		for i := range 200 {
			name := fmt.Sprint("n", i)
			table.Pair(Name{Text: []byte(name), Hash: 7}, Name{Text: []byte("the"), Hash: uint32(i)}).Count++
		}
		for range 3 {
			table.Pair(Name{Text: []byte("n5"), Hash: 7}, Name{Text: []byte("other"), Hash: 1}).Count++
		}
		origins, targets, pairs := table.Sorted()
		// "the" has a hash of its own in each pair, so it counts as a name each time
		if len(origins) != 200 || len(targets) != 201 || len(pairs) != 201 {
			t.Fatalf("%d names, %d names, %d pairs", len(origins), len(targets), len(pairs))
		}
		if p := pairs[0]; p.Count != 3 || string(origins[p.Origin]) != "n5" || string(targets[p.Target]) != "other" {
			t.Errorf("%s and %s, %d times, come first", origins[p.Origin], targets[p.Target], p.Count)
		}
		if !slices.IsSortedFunc(pairs[1:], func(a, b Pair) int { return int(a.Origin) - int(b.Origin) }) {
			t.Error("equally frequent pairs change places")
		}
	}
}

// TestKindred: names that differ only in case, underscores or the I of an interface are renamed together. So are names in which the
// same words changed. A getter and a setter are renamed with their field.
func TestKindred(t *testing.T) {
	var k Kindred
	for _, c := range []struct {
		origin, target string
		met            bool
	}{
		{"IClock", "ITimer", false}, {"clock", "timer", true}, {"_clock", "_timer", true}, {"clock", "watch", false}, {"IDs", "ITimer", false}, {"Über", "x", false}, {"über", "X", true},
		{"photos_tool_class_init", "gtk_tray_icon_class_init", false}, {"PhotosTool", "GtkTrayIcon", true}, {"PHOTOS_TYPE_TOOL", "GTK_TYPE_TRAY_ICON", true},
		{"photosTool_free", "gtkTrayIcon_delete", false}, {"tool", "tool_icon", false}, {"a_b_c_d_e_f_g_h_i_j_k_l_m", "b", false}, {"_", "x_", false},
	} {
		if met := k.Met([]byte(c.origin), []byte(c.target)); met != c.met {
			t.Errorf("%s and %s: %t", c.origin, c.target, met)
		}
	}
	k.Reset()
	if k.Met([]byte("clock"), []byte("timer")) {
		t.Error("a reset keeps pairs")
	}
	k.Whole = true
	if k.Met([]byte("clock_init"), []byte("timer_init")) || !k.Met([]byte("ClockInit"), []byte("TimerInit")) {
		t.Error("a name in whole is not told from its words")
	}
	for _, c := range []struct {
		origin, target string
		met            bool
	}{
		{"rowList", "items", false}, {"getRowList", "getItems", true}, {"set_row_list", "set_items", true}, {"isOpen", "isShut", false}, {"open", "shut", true},
		{"getRows", "setRow", false}, {"get", "set", false}, {"getBox", "get", false}, {"addRowList", "addItems", false}, {"setup", "setout", false}, {"up", "out", false},
	} {
		if met := k.Met([]byte(c.origin), []byte(c.target)); met != c.met {
			t.Errorf("in whole %s and %s: %t", c.origin, c.target, met)
		}
	}
}
