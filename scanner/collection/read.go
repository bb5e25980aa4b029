package collection

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"golang.org/x/sync/errgroup"
)

// reading is a content under a file name: what becomes of it depends on no more.
type reading struct {
	hash store.Hash
	base string
}

// job is a reading on its way to a worker.
type job struct {
	reading
	seq  int
	path string
	data []byte
}

// made is what became of a reading.
type made struct {
	doc    *Document // nil when it is left out
	prints []print
	seq    int
	reason lang.Reason // why it is left out, or not read as its language says
	detail string
}

// met is a file, or what a part says it leaves out.
type met struct {
	part    int
	path    string
	reading reading
	entry   *finding.Entry
}

// reader is one run of Read.
type reader struct {
	set   *Set
	parts []Part
	met   []met
	seen  map[reading]bool
	jobs  chan job

	mu   sync.Mutex
	made map[reading]made
}

// Read reads parts, in their order. dir, which need not exist, gets the texts.
func Read(ctx context.Context, dir string, parts []Part, o Options) (*Set, error) {
	sp, err := newSpool(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{o: o, spool: sp, cache: newCache()}
	r := &reader{set: s, parts: parts, seen: make(map[reading]bool), made: make(map[reading]made)}
	if err := r.read(ctx); err != nil {
		sp.Close()
		return nil, err
	}
	if err := s.index.build(ctx, r.settle(), s.Docs, o.Workers); err != nil {
		sp.Close()
		return nil, err
	}
	return s, nil
}

// read runs one reader, which alone decides what is new, and the workers.
func (r *reader) read(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	workers := max(r.set.o.Workers, 1)
	r.jobs = make(chan job, 2*workers)
	for range workers {
		g.Go(func() error { return r.work(ctx) })
	}
	g.Go(func() error {
		defer close(r.jobs)
		for i := range r.parts {
			if err := r.part(ctx, i); err != nil {
				return fmt.Errorf("read %q: %w", r.parts[i].Name, err)
			}
		}
		return nil
	})
	return g.Wait()
}

func (r *reader) part(ctx context.Context, i int) error {
	p, first := r.parts[i], len(r.met)
	err := p.Package.Walk(ctx, r.set.o.Source, func(name string, data []byte) error {
		re := reading{store.Sum(data), path.Base(name)}
		r.met = append(r.met, met{part: i, path: name, reading: re})
		if r.set.o.Reading != nil {
			r.set.o.Reading(p.Name, len(r.met))
		}
		if r.seen[re] {
			return nil
		}
		r.seen[re] = true
		select {
		case r.jobs <- job{re, len(r.met), name, data}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}, func(name, reason, detail string) {
		r.met = append(r.met, met{part: i, path: name, entry: &finding.Entry{Path: name, Reason: lang.Reason(reason), Detail: detail}})
	})
	slices.SortStableFunc(r.met[first:], func(x, y met) int { return cmp.Compare(x.path, y.path) })
	return err
}

// work makes documents of contents until there are no more.
func (r *reader) work(ctx context.Context) error {
	d := &digester{o: &r.set.o, pen: pen{s: r.set.spool}, tz: lang.NewTokenizer(r.set.o.Limits)}
	defer d.tz.Close()
	for j := range r.jobs {
		if ctx.Err() != nil {
			continue
		}
		m, err := d.digest(j)
		if err != nil {
			return err
		}
		r.mu.Lock()
		r.made[j.reading] = m
		r.mu.Unlock()
	}
	return d.pen.flush()
}

// settle gives each content one document, in the order of its first file, and says what
// was left out. It returns the fingerprints of the documents.
func (r *reader) settle() [][]print {
	best := make(map[store.Hash]made)
	for re, m := range r.made {
		if have, ok := best[re.hash]; m.doc != nil && (!ok || m.before(have)) {
			best[re.hash] = m
		}
	}
	s := r.set
	ids := make(map[store.Hash]ID, len(best))
	var prints [][]print
	for _, f := range r.met {
		if f.entry != nil {
			r.skip(f.part, *f.entry)
			continue
		}
		m := r.made[f.reading]
		if m.reason != "" {
			r.skip(f.part, finding.Entry{Path: f.path, Reason: m.reason, Detail: m.detail})
		}
		b, ok := best[f.reading.hash]
		if !ok {
			continue
		}
		id, known := ids[f.reading.hash]
		if !known {
			id = ID(len(s.Docs))
			ids[f.reading.hash] = id
			b.doc.dir = directory(f)
			s.Docs, prints = append(s.Docs, *b.doc), append(prints, b.prints)
		}
		s.Files = append(s.Files, File{f.part, f.path, id})
	}
	return prints
}

func (r *reader) skip(part int, e finding.Entry) {
	if r.set.o.Skipped != nil {
		r.set.o.Skipped(part, e)
	}
}

// before tells which of two readings of a content is its document: if its file names
// give it different front-ends, one that knows a grammar, then the first read.
func (m made) before(other made) bool {
	x, y := m.doc.Language == lang.Words(), other.doc.Language == lang.Words()
	if x != y {
		return y
	}
	return m.seq < other.seq
}

// directory numbers the directory of a file.
func directory(f met) uint32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%d %s", f.part, path.Dir(f.path))
	return h.Sum32()
}

// digester turns a content into a document; its buffers live on.
type digester struct {
	o      *Options
	pen    pen
	tz     *lang.Tokenizer
	values []uint64
	grams  []uint64
	robust []fingerprint.Fingerprint
	ties   []fingerprint.Fingerprint
	packed []byte
}

// digest leaves a content out where it gives a reason and no document.
func (d *digester) digest(j job) (made, error) {
	out := made{seq: j.seq}
	if len(j.data) > store.MaxText {
		out.reason, out.detail = lang.TooLarge, fmt.Sprintf("%d bytes", len(j.data))
		return out, nil
	}
	det := lang.Detect(j.path, j.data)
	if out.reason = det.Skip; out.reason != "" {
		return out, nil
	}
	toks, l, limit, err := d.tz.TokenizeOrWords(det.Language, j.data)
	out.reason, out.detail = det.Note, det.Reading()
	if limit != nil {
		out.reason, out.detail = limit.Reason, limit.Detail
	}
	if err != nil {
		out.reason, out.detail = lang.Budget, err.Error()
		return out, nil
	}
	if n := len(toks.Tokens); n < d.o.Params.K {
		out.reason, out.detail = baseline.ReasonTooShort, fmt.Sprintf("%d tokens, a k-gram has %d", n, d.o.Params.K)
		return out, nil
	}
	out.doc = &Document{Hash: j.hash, Language: l, Size: len(j.data), Tokens: len(toks.Tokens), Own: len(toks.Tokens), stored: -1}
	d.values = baseline.Values(d.values[:0], l, toks.Tokens)
	d.grams = fingerprint.KGrams(d.grams[:0], d.values, d.o.Params.K)
	d.winnow(&out, toks.Tokens)
	if out.doc.text, err = d.pen.write(j.data); err == nil && !l.Lexed() {
		d.packed = packTokens(d.packed[:0], toks.Tokens)
		out.doc.stored, err = d.pen.write(d.packed)
	}
	return out, err
}

// winnow selects the fingerprints of both roles: those a document is found by, and those
// it asks for, base code left out.
func (d *digester) winnow(out *made, toks []lang.Token) {
	d.robust = fingerprint.WinnowRobust(d.robust[:0], d.grams, d.o.Params.W)
	d.ties = fingerprint.WinnowTies(d.ties[:0], d.grams, d.o.Params.W)
	var masked []bool
	masked, out.doc.Base = d.o.mask(d.grams, toks)
	out.doc.Own -= count(masked)
	repeats := d.repeats()
	out.prints = make([]print, 0, len(d.ties))
	rest := d.robust
	for _, f := range d.ties {
		p := print{f.Hash, f.Pos}
		if len(rest) > 0 && rest[0].Pos == f.Pos {
			rest = rest[1:]
			p.at |= selected
			out.doc.found++
		}
		asks := masked == nil || slices.Contains(masked[f.Pos:int(f.Pos)+d.o.Params.K], false)
		if repeats != nil {
			repeats[f.Hash]++
			asks = asks && repeats[f.Hash] <= maxRepeats+1 // one more tells that there are
		}
		if asks {
			p.at |= asking
			out.doc.asks++
		}
		if p.at&(selected|asking) != 0 {
			out.prints = append(out.prints, p)
		}
	}
}

// mask tells which tokens do not count, if there are any: those of base code, which it
// counts, and those of import clauses, which two files of one language share whoever wrote
// them.
func (o *Options) mask(grams []uint64, toks []lang.Token) (masked []bool, base int) {
	masked = o.Base.MaskedGrams(grams, len(toks), o.Params.K)
	base = count(masked)
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

func count(masked []bool) (n int) {
	for _, m := range masked {
		if m {
			n++
		}
	}
	return n
}

// repeats is nil unless some fingerprints stand at neighbouring places, many times over:
// a document of one repeated line would keep a fingerprint of each of its tokens.
func (d *digester) repeats() map[uint64]int {
	if len(d.ties) <= 2*len(d.robust)+4*maxRepeats {
		return nil
	}
	return make(map[uint64]int)
}
