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
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/pool"
)

// named is a content as it is read. A file name only decides how.
type named struct {
	hash store.Hash
	how  string // "" for the name that the content was met under first, and for names of which it is read alike
}

// job is a named content on its way to a worker, which frees the data.
type job struct {
	named
	seq  int
	path string
	data []byte
}

// made is what a named content became.
type made struct {
	hash   store.Hash
	doc    *Document // nil if it is left out
	prints []print
	seq    int
	reason lang.Reason // why it is left out, or not read by its language
	detail string
}

// met is a file, or an entry that a part leaves out.
type met struct {
	part    int
	path    string
	content int32 // the number of its named content
	entry   *finding.Entry
}

// reader is one run of Read.
type reader struct {
	set   *Set
	parts []Part
	met   []met
	seen  map[named]int32 // the number of a named content; a number takes less memory than a hash in each file
	names []string        // by number: the name that it was met under first
	made  []made          // by number
}

// Read reads parts, in their order. The texts are written to dir, which need not exist.
func Read(ctx context.Context, dir string, parts []Part, o Options) (*Set, error) {
	sp, err := newSpool(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{o: o, spool: sp, cache: newCache()}
	r := &reader{set: s, parts: parts, seen: make(map[named]int32)}
	if err = r.read(ctx); err == nil {
		err = s.index.build(ctx, r.settle(), s.Docs, o.Workers)
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
	defer func() { r.seen = nil }()
	return pool.Run(ctx, p, r.feed, digested, func(j *job, m made) error {
		m.hash = j.hash
		r.made = append(r.made, m) // the pool keeps the order of the feed, in which named contents are numbered
		return nil
	})
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
	err := p.Package.Walk(ctx, r.set.o.Source, func(name string, data []byte) error {
		n, number, seen := r.meet(name, data)
		r.met = append(r.met, met{part: i, path: name, content: number})
		if r.set.o.Reading != nil {
			r.set.o.Reading(p.Name, len(r.met))
		}
		if seen {
			return nil
		}
		return send(&job{n, len(r.met), name, data}, true)
	}, func(name, reason, detail string) {
		r.met = append(r.met, met{part: i, path: name, entry: &finding.Entry{Path: name, Reason: lang.Reason(reason), Detail: detail}})
	})
	slices.SortStableFunc(r.met[first:], func(x, y met) int { return cmp.Compare(x.path, y.path) })
	return err
}

// meet numbers a content under a file name. A million files may be equal, each with a name of its own.
func (r *reader) meet(name string, data []byte) (n named, number int32, seen bool) {
	n.hash = store.Sum(data)
	number, seen = r.seen[n]
	if seen && path.Base(r.names[number]) != path.Base(name) {
		if how := readAs(name, data); how != readAs(r.names[number], data) {
			n.how = how
			number, seen = r.seen[n]
		}
	}
	if !seen {
		number = int32(len(r.seen))
		r.seen[n], r.names = number, append(r.names, name)
	}
	return n, number, seen
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
// returns the fingerprints of the documents.
func (r *reader) settle() [][]print {
	best := make(map[store.Hash]int32) // number of the named content
	for n, m := range r.made {
		if have, ok := best[m.hash]; m.doc != nil && (!ok || m.before(r.made[have])) {
			best[m.hash] = int32(n)
		}
	}
	s := r.set
	ids := make([]ID, len(r.made)) // by the number of the best named content, from 1
	prints := make([][]print, 0, len(best))
	s.Docs, s.Files = make([]Document, 0, len(best)), make([]File, 0, len(r.met))
	for _, f := range r.met {
		if f.entry != nil {
			r.skip(f.part, *f.entry)
			continue
		}
		m := r.made[f.content]
		if m.reason != "" {
			r.skip(f.part, finding.Entry{Path: f.path, Reason: m.reason, Detail: m.detail})
		}
		n, ok := best[m.hash]
		if !ok {
			continue
		}
		if b := r.made[n]; ids[n] == 0 {
			b.doc.dir = directory(f)
			s.Docs, prints = append(s.Docs, *b.doc), append(prints, b.prints)
			ids[n] = ID(len(s.Docs))
		}
		s.Files = append(s.Files, File{f.part, f.path, ids[n] - 1})
	}
	return prints
}

func (r *reader) skip(part int, e finding.Entry) {
	if r.set.o.Skipped != nil {
		r.set.o.Skipped(part, e)
	}
}

// before reports which of two readings of a content becomes its document. If its file names give it different
// front-ends, it is the one with a grammar, then the one read first.
func (m made) before(other made) bool {
	x, y := m.doc.Language == lang.Words(), other.doc.Language == lang.Words()
	if x != y {
		return y
	}
	return m.seq < other.seq
}

// directory returns a number for the directory of a file.
func directory(f met) uint32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%d %s", f.part, path.Dir(f.path))
	return h.Sum32()
}

// digester turns a content into a document and reuses its buffers.
type digester struct {
	o      *Options
	spool  *spool
	tz     *lang.Tokenizer
	grams  []uint64
	robust []uint32
	ties   []uint32
	packer packer
}

func newDigester(s *Set) *digester {
	return &digester{o: &s.o, spool: s.spool, tz: lang.NewTokenizer(s.o.Limits)}
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
	out := made{seq: j.seq, reason: reason, detail: detail}
	if l == nil {
		return out, nil
	}
	out.doc = &Document{Hash: j.hash, Language: l, Size: len(text), Tokens: len(toks.Tokens), Own: len(toks.Tokens)}
	values := baseline.Values(d.grams[:0], l, toks.Tokens)
	d.grams = fingerprint.KGrams(values[:0], values, d.o.Params.K)
	d.winnow(&out, toks.Tokens)
	var err error
	if out.doc.text, err = d.spool.write(text); err != nil {
		return out, err
	}
	packed := d.packer.pack(toks.Tokens)
	out.doc.packed = uint32(len(packed))
	out.doc.stored, err = d.spool.write(packed)
	return out, err
}

// winnow selects the fingerprints of both roles: those that a document is found by, and those that it asks for, without
// base code.
func (d *digester) winnow(out *made, toks []lang.Token) {
	d.ties, d.robust = fingerprint.WinnowBoth(d.ties[:0], d.robust[:0], d.grams, d.o.Params.W)
	var masked []bool
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
