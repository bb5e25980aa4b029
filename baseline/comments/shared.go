package comments

import "github.com/git-provenance/git-provenance/lang"

// Run is a run of words that two texts share, within one comment on either side. Target and Origin are indexes of words.
type Run struct{ Target, Origin, Len int }

// mostPlaces is the most positions in the origin that are tried for one beginning.
const mostPlaces = 64

// begin is the number of words by which runs are looked up.
const begin = 4

// Shared lists the runs of at least least words that two texts share, in the order of the target. At each word it takes
// the longest run. No word of the target is in two runs.
func Shared(target, origin *lang.Comments, least int) (out []Run) {
	least = max(least, begin)
	places := make(map[[begin]uint32][]int)
	for _, of := range origin.List {
		for i := of.From; i+least <= of.To; i++ {
			k := beginning(origin.Words[i:])
			if at := places[k]; len(at) < mostPlaces {
				places[k] = append(at, i)
			}
		}
	}
	ends := endsOf(origin)
	for _, of := range target.List {
		for i := of.From; i+least <= of.To; {
			best := Run{Target: i}
			for _, o := range places[beginning(target.Words[i:])] {
				if n := common(target.Words[i:of.To], origin.Words[o:ends[o]]); n > best.Len {
					best.Origin, best.Len = o, n
				}
			}
			if best.Len < least {
				i++
				continue
			}
			out = append(out, best)
			i += best.Len
		}
	}
	return out
}

// beginning returns the key of a run that begins with these words.
func beginning(words []lang.Token) (k [begin]uint32) {
	for i := range k {
		k[i] = words[i].Kind
	}
	return k
}

// endsOf returns, for each word, the end of its comment.
func endsOf(c *lang.Comments) []int {
	out := make([]int, len(c.Words))
	for _, of := range c.List {
		for i := of.From; i < of.To; i++ {
			out[i] = of.To
		}
	}
	return out
}

func common(a, b []lang.Token) (n int) {
	for n < min(len(a), len(b)) && a[n].Kind == b[n].Kind {
		n++
	}
	return n
}
