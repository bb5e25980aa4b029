package collection

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/pool"
)

// named is a content that is read in another way than under its first name. A file name only decides how.
type named struct {
	hash store.Hash
	how  string
}

// job is a content on its way to a worker, which frees the data.
type job struct {
	path string
	data []byte
}

// made is what a content became.
type made struct {
	doc    *Document // nil if it is left out
	prints []print
	note   note // why it is left out, or not read by its language
}

// note is a reason of the ledger. A million files have the same few.
type note struct {
	reason lang.Reason
	detail string
}

// reader is one run of Read. Contents are numbered as they are met. A million files may be equal, or all different: of each,
// as little as possible is kept.
type reader struct {
	set   *Set
	parts []Part

	met     []File          // Doc is the number of the content, or of an entry that a part leaves out, as its complement
	entries []finding.Entry // files that parts leave out
	seen    map[store.Hash]int32
	others  map[named]int32 // contents that are read in a second way, and in further ones
	firsts  map[int32]int32 // by their numbers: those of the same contents under the first name
	names   []string        // by number: the name that it was met under first

	docs   []Document // by number; without a language if it is left out
	writer spoolWriter
	spilt  int       // how many of docs were moved from memory to the spool
	prints printList // of docs, one after the other
	notes  []int32   // by number: 1 + its note in noted
	noted  []note
	number map[note]int32 // of those in noted
}

// Read reads parts, in their order. The texts are written to dir, which need not exist, unless there is room for them in memory.
func Read(ctx context.Context, dir string, parts []Part, o Options) (*Set, error) {
	return read(ctx, dir, parts, o, cacheBytes)
}

func read(ctx context.Context, dir string, parts []Part, o Options, room int64) (*Set, error) {
	sp, err := newSpool(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{o: o, spool: sp, cache: newCache(), room: room}
	r := &reader{set: s, parts: parts, seen: make(map[store.Hash]int32), others: make(map[named]int32), firsts: make(map[int32]int32), number: make(map[note]int32), writer: spoolWriter{spool: sp}}
	if err = r.read(ctx); err == nil {
		err = s.index.build(ctx, r.settle(), &r.prints, s.Docs, o.Workers)
	}
	if err != nil {
		sp.Close()
		return nil, err
	}
	return s, nil
}

// read makes documents of the files of the parts, in the workers. The feed alone decides which contents are new.
func (r *reader) read(ctx context.Context) error {
	p := pool.Pool[*digester]{Workers: r.set.o.Workers, New: func() *digester { return newDigester(r.set) }}
	defer func() { r.seen, r.others, r.names, r.number = nil, nil, nil, nil }()
	return pool.Run(ctx, p, r.feed, digested, func(_ *job, m made) error {
		return r.take(m) // the pool keeps the order of the feed, in which contents are numbered
	})
}

// take keeps what a content became.
func (r *reader) take(m made) error {
	if m.doc == nil {
		m.doc = new(Document)
	}
	r.docs = append(r.docs, *m.doc)
	r.prints.add(m.prints)
	n := int32(0)
	if m.note != (note{}) {
		if n = r.number[m.note]; n == 0 {
			r.noted = append(r.noted, m.note)
			n = int32(len(r.noted))
			r.number[m.note] = n
		}
	}
	r.notes = append(r.notes, n)
	return r.spill()
}

// spill moves documents from memory to the spool once there is no room for all. The memory that they leave serves as cache.
func (r *reader) spill() error {
	if r.set.held.Load() <= r.set.room {
		return nil
	}
	for ; r.spilt < len(r.docs); r.spilt++ {
		d := &r.docs[r.spilt]
		if d.held == nil {
			continue
		}
		if err := r.writer.write(d, d.held.Text, d.held.Tokens); err != nil {
			return err
		}
		d.held = nil
	}
	return nil
}

func (r *reader) feed(ctx context.Context, send func(*job, bool) error) error {
	for i := range r.parts {
		if err := r.part(ctx, i, send); err != nil {
			return fmt.Errorf("read %q: %w", r.parts[i].Name, err)
		}
	}
	return nil
}

func (r *reader) part(ctx context.Context, i int, send func(*job, bool) error) error {
	p, first := r.parts[i], len(r.met)
	add := func(name string, doc ID) {
		r.met = append(r.met, File{Part: int32(i), Path: name, Doc: doc})
	}
	err := p.Package.Walk(ctx, source.Limits{}, func(name string, data []byte) error {
		number, seen := r.meet(name, data)
		add(name, ID(number))
		if r.set.o.Reading != nil {
			r.set.o.Reading(p.Name, len(r.met))
		}
		if seen {
			return nil
		}
		return send(&job{name, data}, true)
	}, func(name, reason, detail string) {
		r.entries = append(r.entries, finding.Entry{Path: name, Reason: lang.Reason(reason), Detail: detail})
		add(name, ^ID(len(r.entries)-1))
	})
	slices.SortStableFunc(r.met[first:], func(x, y File) int { return cmp.Compare(x.Path, y.Path) })
	return err
}

// meet numbers a content under a file name.
func (r *reader) meet(name string, data []byte) (number int32, seen bool) {
	hash := store.Sum(data)
	next := int32(len(r.names))
	number, seen = r.seen[hash]
	if !seen {
		r.seen[hash], r.names = next, append(r.names, name)
		return next, false
	}
	if path.Base(r.names[number]) == path.Base(name) {
		return number, true
	}
	how := readAs(name, data)
	if how == readAs(r.names[number], data) {
		return number, true
	}
	other, seen := r.others[named{hash, how}]
	if !seen {
		other = next
		r.others[named{hash, how}], r.firsts[other], r.names = other, number, append(r.names, name)
	}
	return other, seen
}

// readAs says how a content is read under a file name.
func readAs(name string, data []byte) string {
	d := lang.Detect(name, data)
	how := d.Language.Name + " " + string(d.Skip) + " " + string(d.Note) + " " + d.Reading()
	if !bytes.Equal(d.Text, data) {
		how += fmt.Sprintf(" %x", store.Sum(d.Text))
	}
	return how
}

// settle gives each content one document, in the order of its first file, and notes everything that was left out. It
// returns the documents of the fingerprints.
func (r *reader) settle() (order []int32) {
	best := make(map[int32]int32) // of contents that are read in several ways: the number of the best, by that of the first
	for n := range int32(len(r.docs)) {
		first, ok := r.firsts[n]
		if !ok {
			continue
		}
		have, ok := best[first]
		if !ok {
			have = first
		}
		if r.docs[n].better(&r.docs[have]) {
			have = n
		}
		best[first] = have
	}
	s := r.set
	ids := make([]ID, len(r.docs)) // by the number of the best, from 1
	s.Files = r.met[:0]
	for _, f := range r.met {
		if f.Doc < 0 {
			r.skip(f.Part, r.entries[^f.Doc])
			continue
		}
		n := int32(f.Doc)
		if k := r.notes[n]; k > 0 {
			r.skip(f.Part, finding.Entry{Path: f.Path, Reason: r.noted[k-1].reason, Detail: r.noted[k-1].detail})
		}
		if first, ok := r.firsts[n]; ok {
			n = first
		}
		if b, ok := best[n]; ok {
			n = b
		}
		if r.docs[n].Language == nil {
			continue
		}
		if ids[n] == 0 {
			r.docs[n].dir = directory(f)
			order = append(order, n)
			ids[n] = ID(len(order))
		}
		f.Doc = ids[n] - 1
		s.Files = append(s.Files, f)
	}
	clear(r.met[len(s.Files):])
	s.Docs = make([]Document, len(order))
	for id, n := range order {
		d := &s.Docs[id]
		*d = r.docs[n]
		if d.held != nil {
			d.held.Document = d
		}
	}
	r.docs, r.notes, r.met = nil, nil, nil
	return order
}

func (r *reader) skip(part int32, e finding.Entry) {
	if r.set.o.Skipped != nil {
		r.set.o.Skipped(int(part), e)
	}
}

// better reports whether of two readings of a content this one, which came later, becomes its document: if the file names give it
// different front-ends, the one with a grammar.
func (d *Document) better(first *Document) bool {
	if d.Language == nil || first.Language == nil {
		return d.Language != nil
	}
	return d.Language != lang.Words() && first.Language == lang.Words()
}

// directory returns a number for the directory of a file.
func directory(f File) uint32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%d %s", f.Part, path.Dir(f.Path))
	return h.Sum32()
}

// digester turns a content into a document and reuses its buffers.
type digester struct {
	set    *Set
	o      *Options
	writer spoolWriter
	tz     *lang.Tokenizer
	grams  []uint64
	robust []uint32
	ties   []uint32
}

func newDigester(s *Set) *digester {
	return &digester{set: s, o: &s.o, writer: spoolWriter{spool: s.spool}, tz: lang.NewTokenizer(lang.Limits{})}
}

func (d *digester) Close() { d.tz.Close() }

func digested(_ context.Context, d *digester, j *job) (made, error) {
	m, err := d.digest(j)
	j.data = nil
	return m, err
}

// digest leaves a content out if it returns a reason without a document.
func (d *digester) digest(j *job) (made, error) {
	toks, text, l, reason, detail := baseline.Tokenize(d.tz, j.path, j.data, d.o.Params.K)
	out := made{note: note{reason, detail}}
	if l == nil {
		return out, nil
	}
	out.doc = &Document{Language: l, Size: len(text), Tokens: len(toks.Tokens), Own: len(toks.Tokens)}
	values := baseline.Values(d.grams[:0], l, toks.Tokens)
	d.grams = fingerprint.KGrams(values[:0], values, d.o.Params.K)
	masked := d.winnow(&out, toks.Tokens)
	if d.set.hold(out.doc, text, toks.Tokens, masked) {
		return out, nil
	}
	return out, d.writer.write(out.doc, text, toks.Tokens)
}

// winnow selects the fingerprints of both roles: those that a document is found by, and those that it asks for, without
// base code. It returns the tokens that do not count.
func (d *digester) winnow(out *made, toks []lang.Token) (masked []bool) {
	d.ties, d.robust = fingerprint.WinnowBoth(d.ties[:0], d.robust[:0], d.grams, d.o.Params.W)
	masked, out.doc.BaseCode = d.o.mask(d.grams, toks)
	out.doc.Own -= match.Count(masked)
	repeats := d.repeats()
	if repeats == nil { // else most of them are left out
		out.prints = make([]print, 0, len(d.ties))
	}
	rest := d.robust
	for _, at := range d.ties {
		p := print{d.grams[at], at}
		if len(rest) > 0 && rest[0] == at {
			rest = rest[1:]
			p.at |= selected
			out.doc.found++
		}
		asks := masked == nil || slices.Contains(masked[at:int(at)+d.o.Params.K], false)
		if repeats != nil {
			repeats[p.hash]++
			asks = asks && repeats[p.hash] <= maxRepeats+1 // one more shows that positions were left out
		}
		if asks {
			p.at |= asking
			out.doc.asks++
		}
		if p.at&(selected|asking) != 0 {
			out.prints = append(out.prints, p)
		}
	}
	return masked
}

// mask returns the tokens that do not count, nil if there are none: those of base code, which it counts, and those of
// import clauses. Files of one language share import clauses even if their authors differ.
func (o *Options) mask(grams []uint64, toks []lang.Token) (masked []bool, base int) {
	masked = o.BaseCode.MaskedGrams(grams, len(toks), o.Params.K)
	base = match.Count(masked)
	for i := range toks {
		if toks[i].Flags&lang.FlagImport == 0 {
			continue
		}
		if masked == nil {
			masked = make([]bool, len(toks))
		}
		masked[i] = true
	}
	return masked, base
}

// repeats returns nil unless some fingerprints occur many times at neighbouring positions. A document of one repeated
// line would keep a fingerprint of each of its tokens.
func (d *digester) repeats() map[uint64]int {
	if len(d.ties) <= 2*len(d.robust)+4*maxRepeats {
		return nil
	}
	return make(map[uint64]int)
}
