package git

import "testing"

func TestResidency(t *testing.T) {
	r := newResidency(100 * residentPart)
	for _, c := range []struct{ off, n, more int64 }{
		{0, 10, 1}, {5, 10, 0}, {residentPart - 1, 2, 1}, {residentPart, residentPart * 3, 3}, {residentPart * 2, 40, 0},
		{99 * residentPart, residentPart, 2}, {99*residentPart + 5, 10, 0}, {127 * residentPart, residentPart * 10, 1}, {1000 * residentPart, 1, 0},
	} {
		if more := r.touch(c.off, c.n); more != c.more {
			t.Errorf("%d bytes at %d: %d parts, want %d", c.n, c.off, more, c.more)
		}
	}
	r.clear()
	if more := r.touch(0, 1); more != 1 {
		t.Errorf("after it was cleared: %d parts", more)
	}
}

// TestGiveBack reads objects while the pages of their pack are taken away.
func TestGiveBack(t *testing.T) {
	r := generated(t, 60, 5)
	r.git("repack", "-q", "-adf")
	r.git("prune-packed")
	repo := r.open()
	var want []string
	read := func(again bool) {
		i := 0
		for c, err := range repo.History(t.Context(), Selection{}, nil) {
			if err != nil {
				t.Fatal(err)
			}
			for _, ch := range c.Changes {
				b, err := repo.Blob(t.Context(), ch.Blob, 1<<20)
				if err != nil {
					t.Fatal(err)
				}
				if !again {
					want = append(want, string(b))
				} else if string(b) != want[i] {
					t.Fatalf("%s: another content", ch.Path)
				}
				repo.objects.giveBack()
				i++
			}
		}
	}
	read(false)
	read(true)
	if len(want) == 0 {
		t.Errorf("%d contents read", len(want))
	}
	repo.objects.resident.Store(maxResident / residentPart)
	repo.objects.packs[0].touched.clear()
	repo.objects.touch(repo.objects.packs[0], 0, 1)
	if n := repo.objects.resident.Load(); n != 0 {
		t.Errorf("%d parts are kept beyond the bound", n)
	}
}
