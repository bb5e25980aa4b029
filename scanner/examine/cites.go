package examine

import (
	"bytes"
)

// citedAbove is how many lines above a region a link can stand that is about it.
const citedAbove = 3

// files are the beginnings of the addresses of the target's files.
func (e *Examiner) files() []string { return e.target.Self.Files() }

// cites returns the line of an origin, in its region or shortly above, that links to a
// file of the target's repository, 0 if there is none. A link that the target has as
// well came along with the code.
func cites(origin []byte, first, last int, target []byte, files []string) int {
	if len(files) == 0 {
		return 0
	}
	n := 0
	for line := range bytes.Lines(origin) {
		if n++; n > last {
			return 0
		}
		if n < first-citedAbove || len(line) > maxCite {
			continue
		}
		low := bytes.ToLower(line)
		for _, f := range files {
			if bytes.Contains(low, []byte("/"+f)) && !bytes.Contains(target, bytes.TrimSpace(line)) {
				return n
			}
		}
	}
	return 0
}

// maxCite bounds a line with a link: in minified code it may be about anything.
const maxCite = 400
