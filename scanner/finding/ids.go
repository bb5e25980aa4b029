package finding

import (
	"strconv"
	"strings"
)

// number makes the ids of findings unique. The first of several findings with the same content and origin, in the order of paths
// and lines, keeps its id. The others get a number.
func (r *Report) number() {
	met := make(map[string]int)
	for i := range r.Findings {
		f := &r.Findings[i]
		id := f.ContentID()
		if met[id]++; met[id] > 1 {
			f.ID = id + "-" + strconv.Itoa(met[id])
		} else {
			f.ID = id
		}
	}
}

// ContentID returns the id of a finding without the number that makes it unique.
func (f *Finding) ContentID() string {
	id, n, _ := strings.Cut(f.ID, "-")
	if _, err := strconv.Atoi(n); err != nil {
		return f.ID
	}
	return id
}
