package lang

import (
	"bytes"
	"sort"
)

// LineIndex maps byte offsets to lines.
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

// Line returns the 1-based line that contains the byte at off.
func (x LineIndex) Line(off uint32) int {
	return sort.Search(len(x.starts), func(i int) bool { return x.starts[i] > off })
}

// From is Line for a caller that knows a line at or shortly before off.
func (x LineIndex) From(line int, off uint32) int {
	for line < len(x.starts) && x.starts[line] <= off {
		line++
	}
	return line
}
