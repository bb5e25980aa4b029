package lang

import "testing"

func TestSmoke(t *testing.T) {
	z := NewTokenizer(Limits{})
	defer z.Close()
	for _, l := range Languages() {
		src := []byte("int f(int a) { return a + 1; } // x\nx = \"s\"\n")
		s, err := z.Tokenize(l, src)
		if err != nil {
			t.Fatal(l.Name, err)
		}
		for _, k := range s.Tokens {
			t.Logf("%s %q %v", l.Name, src[k.Start:k.End], k.Class)
		}
	}
}
