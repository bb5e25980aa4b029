package history

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// snapshot is a finding in one version of a file, reduced to the data needed to follow the region.
type snapshot struct {
	trace.Trace
	ID         string // of the finding
	At         int    // index among the findings of the file
	Start, End int    // lines
	Origins    []stretch
}

// stretch is a range of lines of a file of a package. Versions of the package are not distinguished.
type stretch struct {
	File     uint64
	From, To int
}

func snapshotOf(f *examine.Found, at int) snapshot {
	s := snapshot{Trace: f.Trace, ID: f.ID, At: at, Start: f.StartLine, End: f.EndLine}
	for _, o := range f.Origins {
		n := stretch{trace.HashBytes([]byte(purl.Name(o.PURL) + "\x00" + o.Path)), o.StartLine, o.EndLine}
		if !slices.Contains(s.Origins, n) {
			s.Origins = append(s.Origins, n)
		}
	}
	return s
}

// same reports whether two regions have equal tokens, names and literals, except for loose lines.
func (s *snapshot) same(o *snapshot) bool {
	return slices.ContainsFunc(s.Content, func(c uint64) bool { return slices.Contains(o.Content, c) })
}

// within reports whether most of the origin's lines that s matches are also matched by o.
func (s *snapshot) within(o *snapshot) bool {
	return slices.ContainsFunc(s.Origins, func(a stretch) bool {
		return slices.ContainsFunc(o.Origins, func(b stretch) bool { return a.within(b) })
	})
}

// grown reports whether two snapshots are one region that grew or shrank. They must match one file of a package, and share most
// of the shorter stretch or most tokens.
func (s *snapshot) grown(o *snapshot) bool {
	return slices.ContainsFunc(s.Origins, func(a stretch) bool {
		return slices.ContainsFunc(o.Origins, func(b stretch) bool {
			return a.File == b.File && (float64(a.overlap(b)) >= trace.Most*float64(min(a.To-a.From, b.To-b.From)+1) || s.Alike(&o.Trace))
		})
	})
}

// mostly reports whether another version of a region matches most of the lines that s does.
func (s *snapshot) mostly(o *snapshot) bool {
	return slices.ContainsFunc(s.Origins, func(a stretch) bool {
		return slices.ContainsFunc(o.Origins, func(b stretch) bool {
			return a.File == b.File && float64(a.overlap(b)) >= trace.Most*float64(a.To-a.From+1)
		})
	})
}

func (s stretch) within(o stretch) bool {
	return s.File == o.File && float64(s.overlap(o)) >= finding.SameRegion*float64(s.To-s.From+1)
}

func (s stretch) overlap(o stretch) int { return max(0, min(s.To, o.To)-max(s.From, o.From)+1) }

// changesTo names the change of a region between two versions; nil if there is none.
func (s *snapshot) changesTo(now *snapshot) []string {
	switch {
	case s.Content[0] == now.Content[0] && s.Layout == now.Layout:
		return nil
	case s.Content[0] == now.Content[0]:
		return []string{"reformatted"}
	case s.same(now):
		return nil
	case s.Literal == now.Literal:
		return []string{"renamed"}
	}
	if s.within(now) && !now.within(s) {
		return []string{"extended"}
	}
	return []string{"edited"}
}
