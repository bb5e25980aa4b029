package git

import (
	"bytes"
	"cmp"
	"context"
	"hash/fnv"
	"slices"
)

const (
	// maxRenamePairs bounds the pairs of an added and a deleted file that are compared line by line: a thousand times a
	// thousand, as in git. maxRenameFiles bounds the files of either kind that are read for it.
	maxRenamePairs = 1 << 20
	maxRenameFiles = 1 << 12
	// maxRenameSize bounds a file that is compared; source files are far smaller.
	maxRenameSize = 1 << 20
	// minSimilarity is the share of the larger file, in percent, that both must have in common. It is git's own default.
	minSimilarity = 50
)

// findRenames gives added files an earlier content: that of a deleted file with equal content, else of a similar one.
// Each deleted file is used once. Both lists are sorted by path.
func (r *reader) findRenames(ctx context.Context, changes []Change, deleted []File) error {
	deleted = sameContent(changes, deleted)
	var added []*Change
	for i := range changes {
		if !changes[i].HasOld {
			added = append(added, &changes[i])
		}
	}
	if n, m := len(added), len(deleted); n*m == 0 || n*m > maxRenamePairs || max(n, m) > maxRenameFiles {
		return ctx.Err()
	}
	from, err := r.lineCounts(ctx, len(deleted), func(i int) Hash { return deleted[i].Blob })
	if err != nil {
		return err
	}
	to, err := r.lineCounts(ctx, len(added), func(i int) Hash { return added[i].Blob })
	if err != nil {
		return err
	}
	for _, p := range similarPairs(from, to) {
		c, old := added[p.to], &deleted[p.from]
		if !c.HasOld && !old.Blob.IsZero() {
			c.HasOld, c.Old, c.OldPath = true, old.Blob, old.Path
			old.Blob = Hash{} // used
		}
	}
	return nil
}

// sameContent finds the renames without edits and returns the deleted files that are left.
func sameContent(changes []Change, deleted []File) []File {
	byBlob := map[Hash][]int{}
	for i, f := range deleted {
		byBlob[f.Blob] = append(byBlob[f.Blob], i)
	}
	used := make([]bool, len(deleted))
	for i := range changes {
		c := &changes[i]
		if from := byBlob[c.Blob]; !c.HasOld && len(from) > 0 {
			c.HasOld, c.Old, c.OldPath = true, c.Blob, deleted[from[0]].Path
			used[from[0]] = true
			byBlob[c.Blob] = from[1:]
		}
	}
	var left []File
	for i, f := range deleted {
		if !used[i] {
			left = append(left, f)
		}
	}
	return left
}

// lineCount is how many bytes of a file are in lines with one content.
type lineCount struct {
	hash  uint64
	bytes int
}

// lineCounts describes files by their lines. Files that are too large or absent get an empty description.
func (r *reader) lineCounts(ctx context.Context, n int, blob func(i int) Hash) ([]lineCounts, error) {
	counts := make([]lineCounts, n)
	for i := range counts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if b, err := r.Content(blob(i), maxRenameSize); err == nil {
			counts[i] = lineCounts{lines: countLines(b), total: len(b)}
		}
	}
	return counts, nil
}

// lineCounts describes a file: its distinct lines sorted by hash, and its size.
type lineCounts struct {
	lines []lineCount
	total int
}

func countLines(text []byte) []lineCount {
	var counts []lineCount
	for l := range bytes.Lines(text) {
		h := fnv.New64a()
		h.Write(l)
		counts = append(counts, lineCount{h.Sum64(), len(l)})
	}
	slices.SortFunc(counts, func(a, b lineCount) int { return cmp.Compare(a.hash, b.hash) })
	merged := counts[:0]
	for _, c := range counts {
		if n := len(merged); n > 0 && merged[n-1].hash == c.hash {
			merged[n-1].bytes += c.bytes
		} else {
			merged = append(merged, c)
		}
	}
	return merged
}

type similarPair struct{ from, to, score int }

// similarPairs returns the pairs above minSimilarity, the most similar first, then by path.
func similarPairs(from, to []lineCounts) []similarPair {
	var pairs []similarPair
	for t := range to {
		for f := range from {
			if score := similarity(from[f], to[t]); score >= minSimilarity {
				pairs = append(pairs, similarPair{f, t, score})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b similarPair) int { return cmp.Compare(b.score, a.score) })
	return pairs
}

// similarity returns the share of the larger file, in percent, that is in common lines.
func similarity(from, to lineCounts) int {
	smaller, larger := min(from.total, to.total), max(from.total, to.total)
	if larger == 0 || smaller*100 < larger*minSimilarity {
		return 0
	}
	common := 0
	for a, b := from.lines, to.lines; len(a) > 0 && len(b) > 0; {
		switch {
		case a[0].hash < b[0].hash:
			a = a[1:]
		case a[0].hash > b[0].hash:
			b = b[1:]
		default:
			common += min(a[0].bytes, b[0].bytes)
			a, b = a[1:], b[1:]
		}
	}
	return common * 100 / larger
}
