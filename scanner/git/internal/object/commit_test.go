package object

import "testing"

// FuzzHeadersEnd looks for the end of a commit's headers in any bytes.
func FuzzHeadersEnd(f *testing.F) {
	f.Add([]byte("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@example.com> 5 +0000\ncommitter C <c> 7 +0000\n\nmessage"))
	f.Add([]byte("\ncommitter "))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n := headersEnd(b); n > len(b) || n > 0 && b[n-1] != '\n' {
			t.Errorf("headers of %d bytes in %d", n, len(b))
		}
	})
}
