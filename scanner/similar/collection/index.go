package collection

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/hashes"
	"github.com/git-provenance/git-provenance/scanner/score"

	"golang.org/x/sync/errgroup"
)

// print is a fingerprint of a document and its position: a token, with the roles in the upper bits.
type print struct {
	hash uint64
	at   uint32
}

// The roles of a fingerprint. The guarantee needs one fingerprint selected robustly on one side of a pair, and all
// minimal ones on the other; package fingerprint proves it.
const (
	selected = 1 << 31 // a document is found by it
	asking   = 1 << 30 // a document asks for it
	tokenOf  = asking - 1
)

// posting is a position of a fingerprint.
type posting struct {
	doc ID
	at  uint32
}

// asked is a fingerprint that a document asks for: a group of postings.
type asked struct {
	at, group uint32
	nth       uint32 // number among its positions in the document
	posting   uint32 // of this position, in the index
}

// index has the fingerprints that several documents have.
type index struct {
	postings []posting // by group, document and token
	starts   []uint32  // of the groups, and the end of the last
	holders  []uint32  // by group: number of documents that are found by it
	frequent []uint8   // by group: number of directories that have it, if score.Frequent or more
	asked    []asked   // by document and token: the first maxRepeats+1 of each group
	first    []uint32  // by document: its first one in asked, and the end of the last
}

// indexed is a fingerprint that is added to the index.
type indexed struct {
	hash uint64
	doc  ID
	at   uint32
}

// printList has the fingerprints of contents, one content after the other, in chunks: a list that grows is copied, and lists of
// their own take more memory than the few fingerprints of a tiny file.
type printList struct {
	chunks [][]print
	ends   []uint32 // by content: the end of its fingerprints
}

// printChunk is how many fingerprints a chunk has.
const printChunk = 1 << 16

// add adds the fingerprints of the next content.
func (l *printList) add(ps []print) {
	end := uint32(len(ps))
	if n := len(l.ends); n > 0 {
		end += l.ends[n-1]
	}
	l.ends = append(l.ends, end)
	for len(ps) > 0 {
		last := len(l.chunks) - 1
		if last < 0 || len(l.chunks[last]) == printChunk {
			l.chunks, last = append(l.chunks, make([]print, 0, printChunk)), last+1
		}
		n := min(len(ps), printChunk-len(l.chunks[last]))
		l.chunks[last], ps = append(l.chunks[last], ps[:n]...), ps[n:]
	}
}

// each calls f with the fingerprints of a content, in as many pieces as there are chunks that have them.
func (l *printList) each(content int32, f func([]print)) {
	at, end := uint32(0), l.ends[content]
	if content > 0 {
		at = l.ends[content-1]
	}
	for at < end {
		chunk, from := l.chunks[at/printChunk], at%printChunk
		to := min(from+end-at, printChunk)
		f(chunk[from:to])
		at += to - from
	}
}

// build sorts the fingerprints of documents by hash, and frees prints. order has the contents of the documents.
func (x *index) build(ctx context.Context, order []int32, prints *printList, docs []Document, workers int) error {
	all, ends, upper := scatter(order, prints)
	*prints = printList{}
	whole := ctx
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(workers, 1))
	from := 0
	for _, to := range ends {
		bucket := all[from:to]
		from = to
		if len(bucket) > 1 {
			g.Go(func() error {
				sortBucket(bucket, upper)
				return ctx.Err()
			})
		}
	}
	if err := g.Wait(); err != nil {
		return err
	}
	x.group(all, docs, upper)
	return x.ask(whole, len(docs), workers)
}

// scatter distributes fingerprints into buckets by the upper bits of their hashes; upper is the number of these bits.
// ends are the ends of the buckets.
func scatter(order []int32, prints *printList) (all []indexed, ends []int, upper int) {
	total := 0
	for _, n := range order {
		prints.each(n, func(ps []print) { total += len(ps) })
	}
	upper = min(max(1, bits.Len(uint(total>>12))), places-4)
	shift := 64 - upper
	next := make([]int, 1<<upper)
	for _, n := range order {
		prints.each(n, func(ps []print) {
			for _, p := range ps {
				next[p.hash>>shift]++
			}
		})
	}
	sum := 0
	for i, n := range next {
		next[i], sum = sum, sum+n
	}
	all = make([]indexed, total)
	for doc, n := range order {
		prints.each(n, func(ps []print) {
			for _, p := range ps {
				b := p.hash >> shift
				all[next[b]] = indexed{p.hash, ID(doc), p.at}
				next[b]++
			}
		})
	}
	return all, next, upper
}

// sortBucket sorts by hash and keeps the order of equal hashes, which is that of documents and tokens. Hashes that
// agree in all sorted bits count as equal: the pairs that they propose wrongly are refused by the proof.
func sortBucket(b []indexed, upper int) {
	var s hashes.Sorter[indexed]
	s.Sort(b, func(p indexed) uint64 { return p.hash << upper >> places << places })
}

// places is how many of the lowest bits of a hash are not sorted by.
const places = 24

// group keeps the fingerprints that more than one document has.
func (x *index) group(all []indexed, docs []Document, upper int) {
	keep := func(g []indexed) bool { return g[0].doc != g[len(g)-1].doc }
	kept, groups := 0, 0
	eachGroup(all, upper, func(g []indexed) {
		if keep(g) {
			kept, groups = kept+len(g), groups+1
		}
	})
	x.postings, x.starts, x.frequent = make([]posting, 0, kept), make([]uint32, 0, groups+1), make([]uint8, 0, groups)
	x.holders = make([]uint32, 0, groups)
	var dirs []uint32
	eachGroup(all, upper, func(g []indexed) {
		if !keep(g) {
			return
		}
		x.starts = append(x.starts, uint32(len(x.postings)))
		dirs = dirs[:0]
		holders, last := uint32(0), ID(-1)
		for _, p := range g {
			x.postings = append(x.postings, posting{p.doc, p.at})
			if p.at&selected == 0 || p.doc == last {
				continue
			}
			last = p.doc
			if holders++; len(dirs) < mostDirectories {
				dirs = append(dirs, docs[p.doc].dir)
			}
		}
		x.holders = append(x.holders, holders)
		slices.Sort(dirs)
		n := len(slices.Compact(dirs))
		if n < score.Frequent {
			n = 0
		}
		x.frequent = append(x.frequent, uint8(n))
	})
	x.starts = append(x.starts, uint32(len(x.postings)))
}

// mostDirectories bounds the documents that are read to count directories.
const mostDirectories = 64

func eachGroup(all []indexed, upper int, f func(g []indexed)) {
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[i].hash>>(places-upper) == all[j].hash>>(places-upper) {
			j++
		}
		f(all[i:j])
		i = j
	}
}

// ask lists the fingerprints that each document asks for.
func (x *index) ask(ctx context.Context, docs, workers int) error {
	x.first = make([]uint32, docs+1)
	for _, p := range x.postings {
		if p.at&asking != 0 {
			x.first[p.doc+1]++
		}
	}
	for i := range docs {
		x.first[i+1] += x.first[i]
	}
	next := slices.Clone(x.first)
	x.asked = make([]asked, x.first[docs])
	for g := range len(x.frequent) {
		nth, of := uint32(0), ID(-1)
		for i := x.starts[g]; i < x.starts[g+1]; i++ {
			p := x.postings[i]
			if p.doc != of {
				nth, of = 0, p.doc
			}
			if p.at&asking != 0 {
				x.asked[next[p.doc]] = asked{at: p.at & tokenOf, group: uint32(g), nth: nth, posting: i}
				next[p.doc]++
				nth++
			}
		}
	}
	return inParts(ctx, docs, workers, func(id int) {
		slices.SortFunc(x.of(ID(id)), func(a, b asked) int { return cmp.Compare(a.at, b.at) })
	})
}

// inParts calls do for each number below n, concurrently in all workers.
func inParts(ctx context.Context, n, workers int, do func(int)) error {
	const part = 64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(workers, 1))
	for from := 0; from < n; from += part {
		g.Go(func() error {
			for i := from; i < min(from+part, n); i++ {
				do(i)
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

// of returns the fingerprints that a document asks for, by token.
func (x *index) of(id ID) []asked { return x.asked[x.first[id]:x.first[id+1]] }

// others returns the postings of a fingerprint that a document asks for: all, or only those of documents behind it.
func (x *index) others(a asked, all bool) []posting {
	from, to := x.starts[a.group], x.starts[a.group+1]
	if all {
		return x.postings[from:to]
	}
	ps, own := x.postings[a.posting+1:to], x.postings[a.posting].doc
	if len(ps) > 0 && ps[0].doc == own {
		ps = ps[behind(ps, own+1):]
	}
	return ps
}

// behind counts the postings of documents before id.
func behind(ps []posting, id ID) int {
	from, to := 0, len(ps)
	for from < to {
		if half := int(uint(from+to) >> 1); ps[half].doc < id {
			from = half + 1
		} else {
			to = half
		}
	}
	return from
}
