package baseline

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

// place is the first place of a content: the first package that has it, by package URL, and its first path there.
type place struct {
	key  string // of the package, without its version
	rank int    // of the package among the live ones
	docs *store.Reader
	at   int // in the table of occurrences of docs
}

// path returns the path, valid until docs is closed. Few callers need it, and its checksum takes time.
func (p place) path() ([]byte, error) { return p.docs.Path(p.at) }

// census calls fn for each document that a live package has, in the order of their hashes, with its first place. The
// result does not depend on the order of additions. It reads the tables of all segments together. They are mapped
// files, so call it within a disk.Guard.
func (b *Baseline) census(fn func(id DocID, at place) error) error {
	if err := b.FetchTables(); err != nil {
		return err
	}
	ranks, keys, err := b.ranks()
	if err != nil {
		return err
	}
	heads := &tableHeads{heads: make([]occurrences, len(b.segs)), begin: make([]uint64, len(b.segs))}
	for i, p := range b.segs {
		heads.heads[i] = occurrences{r: p.docs, ranks: ranks[i]}
		if err := heads.advance(i); err != nil {
			return blame.On(b.dir, err)
		}
	}
	docs := newLineUp(b.segs, func(*part) int { return 0 })
	var last store.Hash
	for n := 0; ; n++ {
		at := docs.lowest()
		if at < 0 {
			return nil
		}
		i := docs.next[at]
		docs.step(at)
		if _, err := b.segs[at].docs.LanguageIndex(i); err != nil { // a damaged hash could equal that of another document
			return blame.On(b.dir, err)
		}
		h := b.segs[at].docs.Hash(i)
		if n > 0 && h == last {
			continue // the content is in two segments
		}
		last = h
		first, live, err := heads.firstOf(h)
		if err != nil {
			return blame.On(b.dir, err)
		}
		if !live {
			continue
		}
		first.key = keys[first.rank]
		if err := fn(b.segs[at].first+DocID(i), first); err != nil {
			return err
		}
	}
}

// ranks numbers the live packages of each segment by package URL and lists their keys. A removed package has -1.
func (b *Baseline) ranks() (ranks [][]int, keys []string, err error) {
	purls, err := b.PURLs()
	if err != nil {
		return nil, nil, err
	}
	rank := make(map[string]int, len(purls))
	for i, name := range purls {
		rank[name] = i
		keys = append(keys, purl.Key(name))
	}
	own := make(map[*part][]int, len(b.segs))
	for _, p := range b.segs {
		n, err := p.docs.PackageCount()
		if err != nil {
			return nil, nil, blame.On(b.dir, err)
		}
		own[p] = slices.Repeat([]int{-1}, n)
		ranks = append(ranks, own[p])
	}
	err = b.eachPURL(func(p *part, i int, name string) error {
		own[p][i] = rank[name]
		return nil
	})
	return ranks, keys, err
}

// occurrences is a cursor in a segment's table of occurrences.
type occurrences struct {
	r     *store.Reader
	ranks []int
	next  int
	hash  store.Hash // of the last one read; rank is that of its package
	rank  int
	ended bool
}

// advance moves to the next occurrence.
func (o *occurrences) advance() (err error) {
	if o.ended = o.next == o.r.Occs(); o.ended {
		return nil
	}
	var pkg uint32
	if o.hash, pkg, err = o.r.Occurs(o.next); err != nil {
		return err
	}
	o.rank = o.ranks[pkg]
	o.next++
	return nil
}

// tableHeads are cursors in the tables of occurrences of all segments.
type tableHeads struct {
	heads []occurrences
	begin []uint64 // per segment: the first 8 bytes of the hash at its cursor; most comparisons need no more
}

func (t *tableHeads) advance(i int) error {
	err := t.heads[i].advance()
	t.begin[i] = beginning(t.heads[i].hash)
	return err
}

// firstOf returns the first place of a content and moves every cursor after the content. A table lists the paths of a
// package in order, so the first one of a package counts.
func (t *tableHeads) firstOf(h store.Hash) (first place, live bool, err error) {
	begin := beginning(h)
	for i := range t.begin {
		if t.begin[i] > begin {
			continue
		}
		for o := &t.heads[i]; !o.ended && bytes.Compare(o.hash[:], h[:]) <= 0; {
			if o.rank >= 0 && o.hash == h && (!live || o.rank < first.rank) {
				first, live = place{rank: o.rank, docs: o.r, at: o.next - 1}, true
			}
			if err := t.advance(i); err != nil {
				return first, false, err
			}
		}
		if t.heads[i].ended {
			t.begin[i] = math.MaxUint64
		}
	}
	return first, live, nil
}

// lineUp goes through the documents of several segments together, in the order of their hashes.
type lineUp struct {
	segs  []*part
	next  []int
	begin []uint64 // per segment: the first 8 bytes of the next document's hash; the largest number at the end
}

// newLineUp starts in each segment at the document that from returns.
func newLineUp(segs []*part, from func(*part) int) *lineUp {
	l := &lineUp{segs, make([]int, len(segs)), make([]uint64, len(segs))}
	for i, p := range segs {
		l.next[i] = from(p) - 1
		l.step(i)
	}
	return l
}

// step moves to the next document of a segment.
func (l *lineUp) step(i int) {
	l.next[i]++
	if l.begin[i] = math.MaxUint64; l.next[i] < l.segs[i].docs.Docs() {
		l.begin[i] = beginning(l.segs[i].docs.Hash(l.next[i]))
	}
}

// lowest returns the segment whose next document has the lowest hash, or -1 at the end. If hashes are equal, it returns
// the first segment.
func (l *lineUp) lowest() int {
	at := -1
	for i, b := range l.begin {
		if at >= 0 && b > l.begin[at] || l.next[i] == l.segs[i].docs.Docs() {
			continue
		}
		if at >= 0 && b == l.begin[at] {
			h, low := l.segs[i].docs.Hash(l.next[i]), l.segs[at].docs.Hash(l.next[at])
			if bytes.Compare(h[:], low[:]) >= 0 {
				continue
			}
		}
		at = i
	}
	return at
}

// beginning returns the first 8 bytes of a hash as a number.
func beginning(h store.Hash) uint64 { return binary.BigEndian.Uint64(h[:]) }

// Segment sums up one segment of a baseline.
type Segment struct {
	Name       string `json:"name"`
	Packages   int    `json:"packages"`
	Removed    int    `json:"removed"` // removed packages
	Documents  int    `json:"documents"`
	Source     uint64 `json:"source"` // bytes of source text
	Tokens     uint64 `json:"tokens"`
	Postings   uint64 `json:"postings"`
	Bytes      uint64 `json:"bytes"`      // on disk
	IndexBytes uint64 `json:"indexBytes"` // of Bytes: fingerprints
	Room       uint64 `json:"room"`       // bytes that can be added before this segment is merged with all later ones
}

// Growth describes each segment, oldest first. It reads every document's record.
func (b *Baseline) Growth() ([]Segment, error) {
	out := make([]Segment, len(b.segs))
	behind := uint64(0)
	for i := len(b.segs) - 1; i >= 0; i-- {
		p := b.segs[i]
		pkgs, err := p.docs.PackageCount()
		if err != nil {
			return nil, blame.On(b.dir, err)
		}
		fps := p.fps.Info()
		s := Segment{Name: b.man.Segments[i].Name, Packages: pkgs, Removed: len(p.dead), Documents: p.docs.Docs(), Tokens: p.docs.Tokens(),
			Postings: fps.Postings, Bytes: uint64(fps.Size) + p.docs.Size(), IndexBytes: uint64(fps.Size)}
		if s.Source, err = b.source(p); err != nil {
			return nil, err
		}
		s.Room = s.Bytes - min(s.Bytes, behind)
		behind += s.Bytes
		out[i] = s
	}
	return out, nil
}

// source adds up the sizes of a segment's texts.
func (b *Baseline) source(p *part) (size uint64, err error) {
	err = disk.Guard(func() error {
		for i := range p.docs.Docs() {
			d, err := p.docs.Doc(i)
			if err != nil {
				return err
			}
			size += uint64(d.Size)
		}
		return nil
	})
	return size, blame.On(b.dir, err)
}

// Info sums up a baseline.
type Info struct {
	Path       string             `json:"path"`
	Digest     string             `json:"digest"`
	Scheme     string             `json:"scheme"`
	Key        string             `json:"key,omitempty"` // check value of its key
	Params     fingerprint.Params `json:"params"`
	Generation int                `json:"generation"`
	Segments   int                `json:"segments"`
	Packages   int                `json:"packages"`
	Documents  int                `json:"documents"`
	Tokens     uint64             `json:"tokens"`
	Postings   uint64             `json:"postings"`
	Bytes      uint64             `json:"bytes"`          // on disk
	IndexBytes uint64             `json:"indexBytes"`     // of Bytes: fingerprints
	Bare       int                `json:"bare,omitempty"` // documents without text
	Outdated   []Outdated         `json:"outdated,omitempty"`
}

// Info sums up the generation.
func (b *Baseline) Info() (Info, error) {
	in := Info{Path: b.dir, Digest: b.Digest(), Scheme: b.man.Scheme, Key: b.key.Check(), Params: b.man.Params, Generation: b.man.Generation, Segments: len(b.segs)}
	for _, p := range b.segs {
		s := p.fps.Info()
		in.Postings += s.Postings
		in.IndexBytes += uint64(s.Size)
		in.Bytes += uint64(s.Size) + p.docs.Size()
		in.Documents += p.docs.Docs()
		in.Tokens += p.docs.Tokens()
		bare, err := p.docs.Bare()
		if err != nil {
			return in, blame.On(b.dir, err)
		}
		in.Bare += bare
		pkgs, err := p.docs.PackageCount()
		if err != nil {
			return in, blame.On(b.dir, err)
		}
		in.Packages += pkgs - len(p.dead)
	}
	var err error
	in.Outdated, err = b.Outdated()
	return in, err
}

// Outdated counts the documents of one language whose tokens were made by other rules than this program's: its grammar,
// lexer or table entry has changed. Lookup skips them. [Writer.Compact] tokenises them again.
type Outdated struct {
	Language  string `json:"language"`
	Documents int    `json:"documents"`
	Bare      int    `json:"bare,omitempty"` // of Documents: without a text to tokenise
}

// Outdated counts the outdated documents of each language, by name. Lookup skips these documents.
func (b *Baseline) Outdated() ([]Outdated, error) {
	count := make(map[string]Outdated)
	for _, p := range b.segs {
		old, err := p.outdated()
		if err != nil {
			return nil, blame.On(b.dir, err)
		}
		for i, is := range old {
			if !is {
				continue
			}
			d, err := p.docs.Doc(i)
			if err != nil {
				return nil, blame.On(b.dir, err)
			}
			o := count[d.Language]
			if o.Language, o.Documents = d.Language, o.Documents+1; d.Bare {
				o.Bare++
			}
			count[d.Language] = o
		}
	}
	out := slices.Collect(maps.Values(count))
	slices.SortFunc(out, func(x, y Outdated) int { return cmp.Compare(x.Language, y.Language) })
	return out, nil
}

// renewable reports whether this program can tokenise some of these documents. It lacks languages that a later program,
// or one built with a C compiler, knows.
func renewable(old []Outdated) bool { return slices.ContainsFunc(old, Outdated.renewable) }

func (o Outdated) renewable() bool { return o.Documents > o.Bare && lang.ByName(o.Language) != nil }
