package origindates

import (
	"context"
	"slices"

	"golang.org/x/mod/semver"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// fewVersions is the number of versions up to which pre-releases are searched too. They come in hundreds, and improve a date by
// weeks only.
const fewVersions = 64

// below returns the indexes of the versions older than the one known to have the needle.
func (s *series) below(n *needle) []int {
	var all, full []int
	for i, v := range s.versions {
		if v.gone != "" || v.purl == n.hi || !older(v.purl, v.at, n.hi, n.hiTime) {
			continue
		}
		all = append(all, i)
		if semver.Prerelease(purl.Order(v.purl)) == "" {
			full = append(full, i)
		}
	}
	if len(all) > fewVersions && len(full) > 0 {
		return full
	}
	return all
}

// between returns the versions that must still be searched for a needle: those between the newest version without it and the oldest
// version with it. If none is left, and the newest version without the needle has pieces of it, between returns the earlier
// versions that must be searched for the pieces.
func (s *series) between(n *needle) []int {
	below, lacks, has := s.below(n), -1, len(s.versions)
	for _, o := range n.seen {
		switch i := s.index(o.PURL); {
		case i < 0:
		case o.Present:
			has = min(has, i)
		default:
			lacks = max(lacks, i)
		}
	}
	if open := within(below, lacks, has); len(open) > 0 || !s.pieces(n, lacks) {
		return open
	}
	return within(below, s.newestWithout(n, lacks), s.lowestPieces(n, lacks))
}

// within returns the indexes between two others.
func within(of []int, after, before int) (out []int) {
	for _, i := range of {
		if i > after && i < before {
			out = append(out, i)
		}
	}
	return out
}

// pieces reports whether a version was found to have a needle in pieces.
func (s *series) pieces(n *needle, version int) bool {
	return version >= 0 && slices.ContainsFunc(n.seen, func(o sighting) bool { return o.Pieces && s.index(o.PURL) == version })
}

// newestWithout returns the newest version, up to another, that does not have even pieces of a needle; -1 if none is known.
func (s *series) newestWithout(n *needle, until int) int {
	newest := -1
	for _, o := range n.seen {
		if i := s.index(o.PURL); !o.Present && !o.Pieces && i <= until {
			newest = max(newest, i)
		}
	}
	return newest
}

// lowestPieces returns the oldest version above newestWithout that has a needle in pieces.
func (s *series) lowestPieces(n *needle, until int) int {
	clean, lowest := s.newestWithout(n, until), until
	for _, o := range n.seen {
		if i := s.index(o.PURL); o.Pieces && i > clean {
			lowest = min(lowest, i)
		}
	}
	return lowest
}

// bisect searches versions until nothing is open or the downloads are used up. Each step takes the version that decides most for
// all needles together.
func (s *series) bisect(ctx context.Context, r *reader, needles []*needle) error {
	for range 4 * MaxDownloads {
		i := s.next(needles)
		if i < 0 || s.budget <= 0 {
			return nil
		}
		about := slices.DeleteFunc(slices.Clone(needles), func(n *needle) bool { return !slices.Contains(s.between(n), i) })
		if err := s.look(ctx, r, i, about); err != nil {
			return err
		}
		if s.broken != "" && s.limited == "" {
			return nil
		}
	}
	return nil
}

// next chooses a version, -1 if there is none: the oldest, if some needle needs it, else the one that best halves the open
// versions.
func (s *series) next(needles []*needle) int {
	gain := make(map[int]int)
	oldest := -1
	for _, n := range needles {
		open := s.between(n)
		if len(open) == 0 {
			continue
		}
		if all := s.below(n); all[0] == open[0] && !absentSeen(n) && (oldest < 0 || open[0] < oldest) {
			oldest = open[0]
		}
		for at, i := range open {
			gain[i] += min(at, len(open)-1-at) + 1
		}
	}
	if oldest >= 0 {
		return oldest
	}
	best := -1
	for i, g := range gain {
		if best < 0 || g > gain[best] || g == gain[best] && i < best {
			best = i
		}
	}
	return best
}

func absentSeen(n *needle) bool {
	return slices.ContainsFunc(n.seen, func(o sighting) bool { return !o.Present })
}
