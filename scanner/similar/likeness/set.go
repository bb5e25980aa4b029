package likeness

import (
	"maps"
	"math"
	"slices"
)

// Lengths of the runs that are compared: the shortest tile, in words of structure and in tokens, and the runs of values in
// tokens.
const (
	tileWords   = 9
	valueTokens = 3
)

// The length of programs at which the tiles are half of the likeness, in words of structure; and at which tiles, runs and
// statements are half of the values, in tokens.
const (
	halfStructure    = 400
	halfRuns         = 160
	halfStructureFew = 200 // in a set too small to tell what is rare
)

// codeTiles is the weight of the tiles of tokens; those of structure have the rest.
const codeTiles = 1. / 3

// minUnits is the smallest set in which frequencies count. In smaller sets every run has the same weight.
const minUnits = 5

// weighed is a set of programs with the weights of their runs.
type weighed struct {
	units   []unit
	reached []*unit // without code that is not reached; the same as in units if all is
	few     bool    // fewer than minUnits
}

// unit is a program of a set.
type unit struct {
	structure  sequence
	code       sequence // tokens; empty in a small set
	tokens     int
	runs       values   // of valueTokens tokens, followed by imports
	statements values   // and imports
	single     values   // tokens without separators, and imports
	words      values   // of texts
	verbatim   verbatim // only of the code that is reached
}

// sequence is a list of words that is covered with tiles.
type sequence struct {
	words  []uint32
	weight []float64 // of each word
	total  float64   // of all words
	grams  []gram    // runs of tileWords words, by hash; once weighed, those that another program has too
	few    bool      // the set is too small to tell what is rare
}

// gram is a run of structure and its position.
type gram struct {
	hash uint64
	at   int32
}

// values are runs of tokens with the content of strings and numbers, by hash.
type values struct {
	counted []counted // once weighed, those that another program has too
	any     bool      // there are runs at all
	few     bool      // the set is too small to tell what is rare
	total   float64   // weight of all
}

// counted is a run of values, how often it occurs, and its weight.
type counted struct {
	hash   uint64
	n      int32
	weight float64
}

// weigh weighs the programs of a set of n. A run that one program has counts log((n+1)/1), a run that d programs have
// counts log((n+1)/d). In code that is reached, d is how many programs reach it.
func weigh(programs []Program) *weighed {
	s := &weighed{units: make([]unit, len(programs)), reached: make([]*unit, len(programs)), few: len(programs) < minUnits}
	whole, reached := new(readings), new(readings)
	for i, p := range programs {
		s.units[i] = newUnit(p.Whole, s.few)
		s.reached[i] = &s.units[i]
		named := p.Whole.named
		if p.Reached != nil {
			u := newUnit(p.Reached, s.few)
			s.reached[i], named = &u, p.Reached.named
		}
		s.reached[i].verbatim = newVerbatim(named)
		whole.add(&s.units[i])
		reached.add(s.reached[i])
	}
	weights := make([]float64, len(programs)+1) // by the number of programs
	for d := range weights {
		if weights[d] = 1; !s.few {
			weights[d] = math.Log(float64(len(programs)+1) / float64(max(1, d)))
		}
	}
	for i := range s.units {
		s.units[i].weigh(whole, weights)
		if s.reached[i] != &s.units[i] {
			s.reached[i].weigh(reached, weights)
		}
	}
	return s
}

// newUnit reads an outline.
func newUnit(o *Outline, few bool) (u unit) {
	u.tokens = len(o.values)
	u.structure = newSequence(o.structure)
	u.runs = newValues(gramsOf(o.withImports(), valueTokens))
	if !few { // otherwise all tokens weigh the same
		u.code = newSequence(o.values)
		u.statements = newValues(sorted(o.statements))
		u.single = newValues(gramsOf(o.single, 1))
		u.words = newValues(gramsOf(o.words, 1))
	}
	return u
}

// readings is how many programs have each run, by reading.
type readings struct{ structure, code, runs, statements, single, words holders }

// add counts the runs of a program.
func (h *readings) add(u *unit) {
	eachDistinct(u.structure.grams, h.structure.add)
	eachDistinct(u.code.grams, h.code.add)
	u.runs.each(h.runs.add)
	u.statements.each(h.statements.add)
	u.single.each(h.single.add)
	u.words.each(h.words.add)
}

// A program counts as if it had ownTokens more that no other program has, and the runs that these are in. So two short programs need a
// larger common part than long ones: they have more in common by chance. Of single tokens, only ownSingle is added.
const (
	ownTokens = 2
	ownSingle = 0.6
)

func (u *unit) weigh(h *readings, weights []float64) {
	own := 0.
	if len(weights) > minUnits { // otherwise nothing tells what is rare
		own = weights[1]
	}
	u.structure.few, u.runs.few = own == 0, own == 0
	u.structure.weigh(&h.structure, weights, own*ownTokens)
	u.code.weigh(&h.code, weights, own*ownTokens)
	u.runs.weigh(&h.runs, weights, own*ownTokens*valueTokens)
	u.statements.weigh(&h.statements, weights, own*ownTokens)
	u.single.weigh(&h.single, weights, own*ownSingle)
	u.words.weigh(&h.words, weights, 0)
}

// newSequence reads a sequence of words.
func newSequence(words []uint32) sequence {
	return sequence{words: words, grams: gramsOf(words, tileWords)}
}

// newValues counts runs.
func newValues(gs []gram) values { return values{counted: countedOf(gs), any: len(gs) > 0} }

func (v *values) each(f func(uint64)) {
	for _, c := range v.counted {
		f(c.hash)
	}
}

// weigh sets the weight of each run, and keeps the runs that another program has too. own is the weight of the runs that the tokens of
// its own break.
func (v *values) weigh(h *holders, weights []float64, own float64) {
	v.total = own
	kept := v.counted[:0]
	for _, c := range v.counted {
		d := h.count(c.hash)
		c.weight = weights[d]
		v.total += float64(c.n) * c.weight
		if d > 1 {
			kept = append(kept, c)
		}
	}
	v.counted = slices.Clone(kept)
}

// gramsOf lists the runs of n words, by hash and position. No run crosses the end of a file.
func gramsOf(words []uint32, n int) []gram {
	out, from := make([]gram, 0, max(0, len(words)-n+1)), 0
	for i, w := range words {
		if w == endOfFile {
			from = i + 1
		}
		at := i + 1 - n
		if at < from {
			continue
		}
		h := uint64(14695981039346656037)
		for _, w := range words[at : i+1] {
			h = (h ^ uint64(w)) * 1099511628211
			h ^= h >> 29
		}
		out = append(out, gram{h, int32(at)})
	}
	byHash(out)
	return out
}

// sorted lists hashes in the order of runs.
func sorted(hashes []uint64) []gram {
	out := make([]gram, len(hashes))
	for i, h := range hashes {
		out[i] = gram{h, int32(i)}
	}
	byHash(out)
	return out
}

func eachDistinct(gs []gram, f func(uint64)) {
	for i, g := range gs {
		if i == 0 || gs[i-1].hash != g.hash {
			f(g.hash)
		}
	}
}

func countedOf(gs []gram) (out []counted) {
	for i, g := range gs {
		if i == 0 || gs[i-1].hash != g.hash {
			out = append(out, counted{hash: g.hash})
		}
		out[len(out)-1].n++
	}
	return out
}

// weigh sets the weight of each word, the mean weight of its runs. own is the weight of the words of its own. It keeps the runs that another program has too.
func (l *sequence) weigh(h *holders, weights []float64, own float64) {
	l.weight = make([]float64, len(l.words))
	runs := make([]uint8, len(l.words)) // that have the word
	kept := l.grams[:0]
	d := int32(0)
	for i, g := range l.grams {
		if i == 0 || l.grams[i-1].hash != g.hash {
			d = h.count(g.hash)
		}
		w := weights[d]
		for i := g.at; i < g.at+tileWords; i++ {
			l.weight[i] += w
			runs[i]++
		}
		if d > 1 {
			kept = append(kept, g)
		}
	}
	l.total = own * tileWords
	for i := range l.weight {
		l.weight[i] /= float64(max(1, runs[i]))
		l.total += l.weight[i]
	}
	l.grams = slices.Clone(kept)
}

// compare returns how alike two programs are.
func (s *weighed) compare(a, b *unit) likeness {
	l := likeness{Structure: a.structure.shared(&b.structure)}
	code := a.code.shared(&b.code)
	w := s.structureWeight(float64(min(len(a.structure.words), len(b.structure.words))))
	l.Values = valuesShared(a, b, code)
	if s.few {
		code = l.Structure
	}
	l.Whole = w*(codeTiles*code+(1-codeTiles)*l.Structure) + (1-w)*l.Values
	return l
}

// structureWeight returns the weight of tiles, for n words of structure in the shorter program.
func (s *weighed) structureWeight(n float64) float64 {
	if s.few {
		return n / (n + halfStructureFew)
	}
	return n * n / (n*n + halfStructure*halfStructure)
}

// valuesShared returns the part of the values that two programs have in common; code is the part of their tokens that tiles
// cover. In short programs the single tokens count, in longer ones the rest. The mean of the rest is quadratic: whoever hides a copy
// changes some readings and spares others, and the readings that are spared count more.
func valuesShared(a, b *unit, code float64) float64 {
	if !a.single.any || !b.single.any {
		return a.runs.shared(&b.runs)
	}
	n := float64(min(a.tokens, b.tokens)) / halfRuns
	v := n * n * n * n / (n*n*n*n + 1)
	runs, statements := a.runs.shared(&b.runs), a.statements.shared(&b.statements)
	rest := math.Sqrt((code*code + runs*runs + statements*statements) / 3)
	return v*rest + (1-v)*singleShared(a, b)
}

// shared returns the part of two sequences that tiles cover.
func (l *sequence) shared(o *sequence) float64 {
	if l.total+o.total == 0 {
		return 0
	}
	t := tilings.Get().(*tiling)
	defer tilings.Put(t)
	t.tile(l, o)
	return partOf(l.few, (l.covered(t.inA)+o.covered(t.inB))/2, l.total, o.total)
}

func (l *sequence) covered(is []byte) (sum float64) {
	for i, c := range is {
		if c != 0 {
			sum += l.weight[i]
		}
	}
	return sum
}

// shared returns the part of the runs that both have.
func (v *values) shared(o *values) float64 {
	return partOf(v.few, v.common(o), v.total, o.total)
}

// common returns the weight of the runs that both have.
func (v *values) common(o *values) (shared float64) {
	y := o.counted
	for _, c := range v.counted {
		for len(y) > 0 && y[0].hash < c.hash {
			y = y[1:]
		}
		if len(y) == 0 {
			break
		}
		if y[0].hash == c.hash {
			shared += float64(min(c.n, y[0].n)) * c.weight
		}
	}
	return shared
}

// part returns the common part of two programs of weights a and b. For programs of about one length it is their share.
// If one is r times as long as the other, it is the share of the shorter, divided by 1 + longer*log(r), which grows far
// less than r. So a copy with a library, a template or dead code around it is still alike.
func part(shared, a, b float64) float64 { return partOf(false, shared, a, b) }

// partOf is part, with longerFew in a set that is too small to tell what is rare.
func partOf(few bool, shared, a, b float64) float64 {
	penalty := longer
	if few {
		penalty = longerFew
	}
	if a == 0 || b == 0 {
		return 0
	}
	return min(1, shared/min(a, b)/(1+penalty*math.Log(max(a, b)/min(a, b))))
}

// The penalty for a longer program, for each e-fold.
const (
	longer    = 0.5
	longerFew = 0.7
)

// rareHolders is how many programs may have a run of structure for it to make them candidates. sampled means that one
// run in that many is read.
const (
	rareHolders = 64
	sampled     = 8
)

// candidates calls f with pairs of programs that have a rare run of structure in common.
func (s *weighed) candidates(f func(i, j int)) {
	holders := make(map[uint64][]int32)
	for i := range s.units {
		eachDistinct(s.units[i].structure.grams, func(h uint64) {
			if h%sampled == 0 && len(holders[h]) <= rareHolders {
				holders[h] = append(holders[h], int32(i))
			}
		})
	}
	near := make([]map[int32]bool, len(s.units))
	for _, is := range holders {
		if len(is) > rareHolders {
			continue
		}
		for x, i := range is {
			for _, j := range is[x+1:] {
				if near[i] == nil {
					near[i] = make(map[int32]bool)
				}
				near[i][j] = true
			}
		}
	}
	for i, js := range near {
		for _, j := range slices.Sorted(maps.Keys(js)) {
			f(i, int(j))
		}
	}
}
