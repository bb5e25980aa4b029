package finding

import (
	"strings"
	"testing"
)

// TestBehindLines: lines are skipped one by one and in bulk, also where a line ends with a stride, and behind the last one.
func TestBehindLines(t *testing.T) {
	for _, line := range []string{"\n", "seven..\n", strings.Repeat("x", 5000) + "\n", strings.Repeat("y", 4095) + "\n"} {
		text := strings.Repeat(line, 1<<15/len(line))
		for n := 0; n < 1<<15/len(line)+3; n += 1 + n/9 {
			want := text[min(n*len(line), len(text)):]
			if got := behindLines([]byte(text), n); string(got) != want {
				t.Fatalf("lines of %d bytes: %d bytes behind %d lines, want %d", len(line), len(got), n, len(want))
			}
		}
	}
}
