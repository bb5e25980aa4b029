// Package changed finds the lines of a version of a file that must be examined, if the version before was examined and had no
// finding. A line need not be examined if every five consecutive lines that contain it also occur in the earlier version. So
// lines with new neighbours are examined too.
package changed

import (
	"bytes"
	"hash/maphash"
	"math/bits"

	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
)

// together is how many consecutive lines are compared as one stretch.
const together = 5

// Lines returns the lines of now that must be examined, if before was examined and had no finding. The ranges ascend.
func Lines(before, now []byte) (out []linediff.Range) {
	head := commonLines(before, now)
	tail := commonTail(before[head:], now[head:])
	known := make(map[uint64]bool)
	each(before, head, tail, func(_ int, stretch uint64) { known[stretch] = true })
	lines := bytes.Count(now[:head], []byte{'\n'})
	each(now, head, tail, func(first int, stretch uint64) {
		if known[stretch] {
			return
		}
		first, last := max(1, lines+first), lines+first+together-1
		if n := len(out); n > 0 && first <= out[n-1].Last+1 {
			out[n-1].Last = last
			return
		}
		out = append(out, linediff.Range{First: first, Last: last})
	})
	return out
}

// chunk is how many bytes are compared at a time.
const chunk = 256

// commonLines returns the length in bytes of the whole lines that both texts begin with.
func commonLines(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for n+chunk <= most && bytes.Equal(a[n:n+chunk], b[n:n+chunk]) {
		n += chunk
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return bytes.LastIndexByte(a[:n], '\n') + 1
}

// commonTail returns the length in bytes of the whole lines that both texts end with.
func commonTail(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for n+chunk <= most && bytes.Equal(a[len(a)-n-chunk:len(a)-n], b[len(b)-n-chunk:len(b)-n]) {
		n += chunk
	}
	for n < most && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	tail := a[len(a)-n:]
	if at := bytes.IndexByte(tail, '\n'); at >= 0 {
		return len(tail) - at - 1
	}
	return 0
}

// each calls fn for every stretch that contains a line of the middle, text[head:len(text)-tail]. If the middle is empty, it calls
// fn for every stretch that spans its position. first is the number of the stretch's first line; the first line of the middle is 1.
// Lines beyond the ends of the text count as empty.
func each(text []byte, head, tail int, fn func(first int, stretch uint64)) {
	var last [together]uint64
	add := func(line uint64) uint64 {
		copy(last[:], last[1:])
		last[together-1] = line
		h := uint64(0)
		for _, l := range last {
			h = bits.RotateLeft64(h, 23)*0x9E3779B97F4A7C15 + l
		}
		return h
	}
	ahead := text[:head]
	for i := 2; i <= together && len(ahead) > 0; i++ {
		from := bytes.LastIndexByte(ahead[:len(ahead)-1], '\n') + 1
		last[together-i+1] = maphash.Bytes(seed, ahead[from:])
		ahead = ahead[:from]
	}
	n := 2 - together
	for rest := text[head : len(text)-tail]; len(rest) > 0; n++ {
		var line []byte
		line, rest = cut(rest)
		fn(n, add(maphash.Bytes(seed, line)))
	}
	rest := text[len(text)-tail:]
	for range together - 1 {
		hash := uint64(0)
		if len(rest) > 0 {
			var line []byte
			line, rest = cut(rest)
			hash = maphash.Bytes(seed, line)
		}
		fn(n, add(hash))
		n++
	}
}

// cut splits a text after its first line.
func cut(text []byte) (line, rest []byte) {
	if at := bytes.IndexByte(text, '\n'); at >= 0 {
		return text[:at+1], text[at+1:]
	}
	return text, nil
}

var seed = maphash.MakeSeed() // any seed will do: only equality of hashes counts
