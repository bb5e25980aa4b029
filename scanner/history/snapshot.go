package history

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/trace"
)

// snapshot is a finding in one version of a file: as much of it as is needed to
// follow the region.
type snapshot struct {
	trace.Trace
	ID         string // of the finding
	At         int    // among the findings of the file
	Start, End int    // lines
	Origins    []stretch
}

// stretch is the lines of a file of a package, its versions folded.
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

// same tells whether two regions are equal token for token, names and literals
// included, but for loose lines.
func (s *snapshot) same(o *snapshot) bool {
	return slices.ContainsFunc(s.Content, func(c uint64) bool { return slices.Contains(o.Content, c) })
}

// within tells whether what s is of an origin is mostly part of what o is of it.
func (s *snapshot) within(o *snapshot) bool {
	return slices.ContainsFunc(s.Origins, func(a stretch) bool {
		return slices.ContainsFunc(o.Origins, func(b stretch) bool { return a.within(b) })
	})
}

// grown tells whether two snapshots are one region that grew or shrank: of one file of
// a package, most of the shorter stretch or most of the tokens in both.
func (s *snapshot) grown(o *snapshot) bool {
	return slices.ContainsFunc(s.Origins, func(a stretch) bool {
		return slices.ContainsFunc(o.Origins, func(b stretch) bool {
			return a.File == b.File && (float64(a.overlap(b)) >= trace.Most*float64(min(a.To-a.From, b.To-b.From)+1) || s.Alike(&o.Trace))
		})
	})
}

// mostly tells whether another version of a region has most of it.
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

// becomes names what was done to a region between two versions; nil if nothing.
func (s *snapshot) becomes(now *snapshot) []string {
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
