package lang

import (
	"bytes"
	"sort"
)

// LineIndex tells the line of a byte offset.
type LineIndex struct{ starts []uint32 }

// Lines indexes the lines of src. A line ends with "\n".
func Lines(src []byte) LineIndex {
	starts := make([]uint32, 1, bytes.Count(src, []byte{'\n'})+1)
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			return LineIndex{starts}
		}
		i += n + 1
		starts = append(starts, uint32(i))
	}
}

// Line returns the 1-based line that holds the byte at off.
func (x LineIndex) Line(off uint32) int {
	return sort.Search(len(x.starts), func(i int) bool { return x.starts[i] > off })
}

// From is Line for who knows a line at or before off, not far from it.
func (x LineIndex) From(line int, off uint32) int {
	for line < len(x.starts) && x.starts[line] <= off {
		line++
	}
	return line
}
