package baseline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/baseline/tables"
	"github.com/git-provenance/git-provenance/lang"
)

// flushBytes bounds the memory of a build: a segment is written after so many bytes of new
// text. They make two to five million postings, of 16 bytes until they are written, and
// beside them a third of their size in compressed text and tokens.
const flushBytes = 128 << 20

// largeText is the size from which on one text is worked on at a time, and no room for it is kept: a text of 16 MB,
// which is data, takes 400 MB for its tokens and what is made of them.
const largeText = 2 << 20

// AddOptions says how packages are read.
type AddOptions struct {
	Workers  int
	Limits   lang.Limits
	Source   source.Limits
	Progress func(purl string, files int, bytes int64) // may be nil; called from one goroutine
	Skipped  func(Skip)                                // may be nil; called in a fixed order
	Counted  string                                    // directory that keeps what was counted for the model, so that the next Add counts only what is new; "" keeps nothing
}

// The reasons Add itself gives for leaving something out.
const (
	ReasonTooShort  lang.Reason = "too-short"         // fewer tokens than a k-gram has
	ReasonDuplicate lang.Reason = "duplicate-package" // named twice in one call
	ReasonBroken    lang.Reason = "broken-archive"    // nothing of the package is in
	ReasonLicences  lang.Reason = "too-many-licences" // files that state one, beyond what is read of a package
)

// Skip is a file that is not, or not wholly, in the baseline.
type Skip struct {
	PURL, Path string
	Reason     lang.Reason
	Detail     string
}

// Added sums up what Add did.
type Added struct {
	Packages, Unchanged, Files, Documents, Known int
	Bytes                                        int64
	Skipped                                      map[lang.Reason]int
}

// reading is a content under a file name. What becomes of it depends on no more,
// so that it is worked on once, however many packages and versions have it.
type reading struct {
	hash store.Hash
	base string
}

// job is a reading met for the first time, on its way to a worker.
type job struct {
	reading
	seq  int
	unit uint32 // of the content's first path
	path string
	data []byte
}

// outcome is what became of a reading that is not, or not wholly, in.
type outcome struct {
	reason  lang.Reason
	detail  string
	partial bool // in, but by its words only
}

// meeting is what is known of one content while a run lasts: as little as can be, since a run can have millions.
type meeting struct {
	unit  uint32 // of its first path
	first uint32 // among the occurrences
	state state
}

// state tells how far a content has come.
type state uint8

const (
	isRead    state = iota // it may become a document
	isMade                 // it is one
	isWritten              // in a segment of this run
)

// built is a document ready for a segment.
type built struct {
	store.Entry
	fps []fingerprint.Fingerprint
	seq int // of the path it was read under
}

// note is a skip with its place in the order of reading.
type note struct {
	seq int
	Skip
}

// adder is one run of Add.
type adder struct {
	w     *Writer
	o     AddOptions
	pkgs  []Package
	occs  []store.Occurrence
	at    []int                  // of each occurrence: its place in the order of reading
	met   map[store.Hash]meeting // each was handed to a worker under its first file name
	again map[reading]bool       // handed to a worker under other file names
	jobs  chan job
	open  sync.WaitGroup // jobs handed out and not yet done
	fresh int64          // bytes of new text since the last flush
	sum   Added
	seq   int
	parts []segmentEntry
	told  map[store.Hash]license.Statement // licence files read, without their paths

	broken error // of the first package whose archive cannot be read

	large    sync.Mutex // held for a large text
	mu       sync.Mutex
	ready    []*built
	notes    []note
	outcomes map[reading]outcome
}

// Add reads packages, in the order of their purls, into a new generation. A
// package already there with the same files, licence and release date is left
// alone, else it is replaced. On error nothing has changed, unless it is a
// *CompactError.
func (w *Writer) Add(ctx context.Context, pkgs []*source.Package, o AddOptions) (Added, error) {
	w.counted = o.Counted
	defer func() { w.counted = "" }()
	a, before := newAdder(w, o), len(w.man.Segments)
	pkgs = slices.Clone(pkgs)
	slices.SortStableFunc(pkgs, func(x, y *source.Package) int { return cmp.Compare(x.PURL, y.PURL) })
	if err := w.change(func() error { return a.add(ctx, pkgs) }); err != nil {
		return a.sum, err
	}
	sum := a.sum
	a = nil // what it knows of each file is as much as the merge needs
	return sum, w.compactIfDue(ctx, before)
}

func newAdder(w *Writer, o AddOptions) *adder {
	a := &adder{w: w, o: o, met: make(map[store.Hash]meeting), again: make(map[reading]bool), outcomes: make(map[reading]outcome), told: make(map[store.Hash]license.Statement)}
	a.sum.Skipped = make(map[lang.Reason]int)
	return a
}

func (a *adder) add(ctx context.Context, pkgs []*source.Package) error {
	old, err := a.w.base.Packages()
	if err != nil {
		return err
	}
	if err := a.read(ctx, pkgs); err != nil {
		return err
	}
	for _, b := range a.ready {
		a.reach(b.Hash, isMade)
	}
	m, changed, err := a.merge(old, func(h store.Hash) bool { return a.met[h].state >= isMade }, func(pkgs []Package, occs []store.Occurrence) (segmentEntry, error) {
		return a.segment(a.ready, pkgs, occs)
	})
	if err != nil {
		return err
	}
	if !changed { // parts of packages that turned out to be known
		return a.w.sweep()
	}
	a.met, a.again, a.outcomes, a.occs, a.ready, a.told = nil, nil, nil, nil, nil, nil // learning needs the room
	return a.w.commit(ctx, m)
}

// reach notes how far a content has come.
func (a *adder) reach(h store.Hash, s state) {
	c := a.met[h]
	c.state = max(c.state, s)
	a.met[h] = c
}

// read runs one reader, which alone decides what is new, and the workers, whose
// number the outcome does not depend on.
func (a *adder) read(ctx context.Context, pkgs []*source.Package) error {
	g, ctx := errgroup.WithContext(ctx)
	workers := max(a.o.Workers, 1)
	a.jobs = make(chan job, 2*workers)
	for range workers {
		g.Go(func() error { return a.work(ctx) })
	}
	g.Go(func() error {
		defer close(a.jobs)
		for _, p := range pkgs {
			if err := a.readPackage(ctx, p); err != nil {
				return fmt.Errorf("read %s: %w", p.PURL, err)
			}
		}
		if len(a.pkgs) == 0 {
			return a.broken
		}
		return nil
	})
	if err := g.Wait(); err != nil {
		return err
	}
	a.report()
	return nil
}

func (a *adder) readPackage(ctx context.Context, p *source.Package) error {
	idx := len(a.pkgs)
	if idx > 0 && a.pkgs[idx-1].PURL == p.PURL {
		a.skip(duplicate(p.PURL, p.From))
		return nil
	}
	a.pkgs = append(a.pkgs, Package{PURL: p.PURL})
	from := a.seq
	s := surveyor{limits: a.o.Source, told: a.told, skip: a.skip}
	s.file = func(path string, data []byte) error { return a.file(ctx, idx, path, data) }
	pkg, err := s.read(ctx, p)
	if err != nil && a.seq == from && source.Broken(err) { // nothing of it was given out: the others need not suffer
		a.pkgs = a.pkgs[:idx]
		a.skip(Skip{PURL: p.PURL, Reason: ReasonBroken, Detail: err.Error()})
		a.broken = cmp.Or(a.broken, fmt.Errorf("read %s: %w", p.PURL, err))
		return nil
	}
	a.pkgs[idx] = pkg
	return err
}

func duplicate(purl, from string) Skip {
	return Skip{purl, from, ReasonDuplicate, "named twice in one call; the first is used"}
}

// longBefore is how long before its release the files of an archive must have been made
// for that to be worth knowing: a registry that copies others dates the copies.
const longBefore = 30 * 24 * time.Hour

// surveyor reads packages: what each says of itself, and its files.
type surveyor struct {
	limits source.Limits
	told   map[store.Hash]license.Statement // licence files read, without their paths
	file   func(path string, data []byte) error
	skip   func(Skip)
}

func (s *surveyor) read(ctx context.Context, p *source.Package) (Package, error) {
	pkg := Package{PURL: p.PURL, License: license.Expression(p.License), Asked: p.Asked, Released: p.Released, From: p.From, Repository: p.Repository, Skipped: make(map[string]int)}
	unread := 0                        // files that state a licence
	var licences, texts []license.File // at the root, and in the folder of REUSE
	err := p.Walk(ctx, s.limits, func(path string, data []byte) error {
		switch f := (license.File{Path: path, Data: data}); {
		case !license.IsFile(path) || license.Beside(f):
		case strings.Contains(path, "/"):
			texts = append(texts, f)
		default:
			licences = append(licences, f)
			pkg.Licenses = append(pkg.Licenses, path)
		}
		switch {
		case !license.States(path):
		case len(pkg.Statements) < maxStatements:
			pkg.Statements = s.state(pkg.Statements, license.File{Path: path, Data: data})
		default:
			unread++
		}
		return s.file(path, data)
	}, func(path, reason, detail string) {
		s.skip(Skip{p.PURL, path, lang.Reason(reason), detail})
	})
	if err != nil {
		return pkg, err
	}
	if unread > 0 {
		s.skip(Skip{PURL: p.PURL, Reason: ReasonLicences, Detail: fmt.Sprintf("%d files beyond the first %d that state a licence are not read for it", unread, maxStatements)})
	}
	pkg.Repository = p.Published()
	if t := p.Packed(); p.Released.Sub(t) > longBefore {
		pkg.Packed = t
	}
	if pkg.License == "" || pkg.License == license.NoAssertion {
		pkg.License = packageLicense(licences, texts, pkg.Statements)
	}
	if p.Asked {
		pkg.Statements = slices.DeleteFunc(pkg.Statements, func(s license.Statement) bool { return s.OfRoot() })
	}
	slices.SortFunc(pkg.Statements, func(x, y license.Statement) int { return cmp.Compare(x.Path, y.Path) })
	return pkg, nil
}

// packageLicense is that of the licence files at the root, else of the texts in the
// folder of REUSE, else what a list gives to all files.
func packageLicense(licences, texts []license.File, statements []license.Statement) string {
	for _, files := range [][]license.File{licences, texts} {
		if e := license.Package(files); e != license.NoAssertion {
			return e
		}
	}
	return cmp.Or(license.Whole(statements), license.NoAssertion)
}

// maxStatements bounds the licence files of one package: bundles of a thousand
// packages have two of each.
const maxStatements = 4096

// state adds what a file says of licences. Each content is read once: a bundle has
// the same text a hundred times.
func (s *surveyor) state(list []license.Statement, f license.File) []license.Statement {
	h := store.Sum(append(fmt.Appendf(nil, "%s %t\n", path.Base(f.Path), license.IsList(f.Path)), f.Data...))
	said, known := s.told[h]
	if !known {
		var says bool
		if said, says = license.Read(f); !says {
			said.Path = ""
		}
		s.told[h] = said
	}
	if said.Path == "" {
		return list
	}
	said.Path = f.Path
	return append(list, said)
}

func (a *adder) file(ctx context.Context, pkg int, file string, data []byte) error {
	a.sum.Files++
	a.sum.Bytes += int64(len(data))
	if a.o.Progress != nil {
		a.o.Progress(a.pkgs[pkg].PURL, a.sum.Files, a.sum.Bytes)
	}
	h := store.Sum(data)
	a.seq++
	a.occs, a.at = append(a.occs, store.Occurrence{Hash: h, Package: uint32(pkg), Path: file}), append(a.at, a.seq)
	r := reading{h, path.Base(file)}
	c, again := a.met[h]
	switch {
	case !again:
		c = meeting{unit: unit(a.pkgs[pkg].PURL, file), first: uint32(len(a.occs) - 1)}
		a.met[h] = c
	case path.Base(a.occs[c.first].Path) == r.base || a.again[r]:
		return nil
	default:
		a.again[r] = true
	}
	if _, known, err := a.w.base.Find(h); known || err != nil {
		if !again {
			a.sum.Known++
		}
		return err
	}
	if err := a.flush(int64(len(data))); err != nil {
		return err
	}
	a.open.Add(1)
	select {
	case a.jobs <- job{r, a.seq, c.unit, file, data}:
		return nil
	case <-ctx.Done():
		a.open.Done()
		return ctx.Err()
	}
}

func (a *adder) skip(s Skip) {
	a.seq++
	a.mu.Lock()
	a.notes = append(a.notes, note{a.seq, s})
	a.mu.Unlock()
}

// work makes documents of contents until there are no more.
func (a *adder) work(ctx context.Context) error {
	d, err := newDigester(a.o.Limits, a.w.man.Params, a.w.base.key)
	if err != nil {
		return err
	}
	defer func() { d.tz.Close() }()
	for j := range a.jobs {
		switch {
		case ctx.Err() != nil || err != nil:
		case len(j.data) < cmp.Or(a.w.largeText, largeText):
			a.keep(j, d)
		default:
			d, err = a.keepLarge(j, d)
		}
		a.open.Done()
	}
	return cmp.Or(err, ctx.Err())
}

// keepLarge returns a digester that has no room for such a text.
func (a *adder) keepLarge(j job, d *digester) (*digester, error) {
	a.large.Lock()
	defer a.large.Unlock()
	a.keep(j, d)
	next, err := newDigester(a.o.Limits, a.w.man.Params, a.w.base.key)
	if err != nil {
		return d, err
	}
	d.tz.Close()
	return next, nil
}

func (a *adder) keep(j job, d *digester) {
	b, reason, detail := d.digest(j)
	a.mu.Lock()
	defer a.mu.Unlock()
	if reason != "" {
		a.outcomes[j.reading] = outcome{reason, detail, b != nil}
	}
	if b != nil {
		a.ready = append(a.ready, b)
	}
}

// report hands the skips on in the order of reading and counts them, for every
// package that has the file.
func (a *adder) report() {
	for i, o := range a.occs {
		out, ok := a.outcomes[reading{o.Hash, path.Base(o.Path)}]
		if !ok {
			continue
		}
		p := &a.pkgs[o.Package]
		a.notes = append(a.notes, note{a.at[i], Skip{p.PURL, o.Path, out.reason, out.detail}})
		if out.partial {
			p.Partial++
		}
	}
	slices.SortFunc(a.notes, func(x, y note) int { return cmp.Compare(x.seq, y.seq) })
	byPURL := make(map[string]int, len(a.pkgs))
	for i, p := range a.pkgs {
		byPURL[p.PURL] = i
	}
	for _, n := range a.notes {
		a.sum.Skipped[n.Reason]++
		if i, in := byPURL[n.PURL]; in { // a broken one is not
			a.pkgs[i].Skipped[string(n.Reason)]++
		}
		if a.o.Skipped != nil {
			a.o.Skipped(n.Skip)
		}
	}
}

// flush writes the documents waiting as a segment without packages once their
// text is long. It waits for the workers first, so that the cut depends on the
// input alone.
func (a *adder) flush(add int64) error {
	a.fresh += add
	if a.fresh < a.w.flushBytes {
		return nil
	}
	a.open.Wait()
	a.fresh = add
	a.mu.Lock()
	docs := a.ready
	a.ready = nil
	a.mu.Unlock()
	e, err := a.segment(docs, nil, nil)
	a.parts = append(a.parts, e)
	return err
}

func (a *adder) segment(docs []*built, pkgs []Package, occs []store.Occurrence) (segmentEntry, error) {
	docs = a.unique(docs)
	a.sum.Documents += len(docs)
	return a.w.writeSegment(docs, pkgs, occs)
}

// unique orders documents by hash and keeps one of each content: if its file
// names give it different front-ends, one that knows a grammar, then the first read.
func (a *adder) unique(docs []*built) []*built {
	slices.SortFunc(docs, func(x, y *built) int {
		return cmp.Or(CompareEntries(&x.Entry, &y.Entry), cmp.Compare(x.seq, y.seq))
	})
	docs = slices.CompactFunc(docs, func(x, y *built) bool { return x.Hash == y.Hash })
	return slices.DeleteFunc(docs, func(b *built) bool {
		old := a.met[b.Hash].state == isWritten
		a.reach(b.Hash, isWritten)
		return old
	})
}

// CompareEntries orders documents by hash, and of one content puts first what knows a grammar.
func CompareEntries(x, y *store.Entry) int {
	words := func(e *store.Entry) int {
		if e.Language == lang.Words().Name {
			return 1
		}
		return 0
	}
	return cmp.Or(compareHash(x.Hash, y.Hash), cmp.Compare(words(x), words(y)))
}

// merge makes the next manifest: packages whose files are as before stay,
// changed ones are replaced. made tells the documents of this run, and write ends a segment of what is left of them.
func (a *adder) merge(old []Package, made func(store.Hash) bool, write func([]Package, []store.Occurrence) (segmentEntry, error)) (manifest, bool, error) {
	m := a.w.man.clone()
	have := make(map[string]Package, len(old))
	for _, p := range old {
		have[p.PURL] = p
	}
	occs, err := a.indexed(made)
	if err != nil {
		return m, false, err
	}
	var pkgs []Package
	kept := occs[:0]
	for i := range a.pkgs {
		own := 0 // occurrences lie in the order of their packages
		for own < len(occs) && occs[own].Package == uint32(i) {
			own++
		}
		p := a.pkgs[i]
		p.Digest, p.Files = packageDigest(occs[:own]), own
		old, ok := have[p.PURL]
		if p.Released.IsZero() { // a source that does not tell it does not take it away
			p.Released = old.Released
		}
		if p.Packed.IsZero() && p.Released.Equal(old.Released) {
			p.Packed = old.Packed
		}
		p.Repository = cmp.Or(p.Repository, old.Repository)
		if ok && unchanged(old, p) {
			a.sum.Unchanged++
		} else {
			if _, err := a.w.kill(&m, p.PURL); err != nil {
				return m, false, err
			}
			for _, o := range occs[:own] {
				o.Package = uint32(len(pkgs))
				kept = append(kept, o)
			}
			pkgs = append(pkgs, p)
		}
		occs = occs[own:]
	}
	a.sum.Packages = len(pkgs)
	if len(pkgs) == 0 {
		return m, false, nil
	}
	e, err := write(pkgs, kept)
	if err != nil {
		return m, false, err
	}
	m.Segments = append(m.Segments, append(a.parts, e)...)
	return m, true, nil
}

// unchanged tells whether p says nothing that is not known of a package.
func unchanged(old, p Package) bool {
	return old.Digest == p.Digest && old.License == p.License && old.Asked == p.Asked && slices.EqualFunc(old.Statements, p.Statements, license.Statement.Equal) && p.Released.Equal(old.Released) &&
		p.Repository == old.Repository && p.Packed.Equal(old.Packed)
}

// indexed keeps the occurrences whose content is a document: of this run or known before.
func (a *adder) indexed(made func(store.Hash) bool) ([]store.Occurrence, error) {
	out := a.occs[:0]
	for _, o := range a.occs {
		known := made(o.Hash)
		if !known {
			var err error
			if _, known, err = a.w.base.Find(o.Hash); err != nil {
				return nil, err
			}
		}
		if known {
			out = append(out, o)
		}
	}
	a.occs = nil
	return out, nil
}

// packageDigest hashes a package's paths and contents, sorted by path.
func packageDigest(occs []store.Occurrence) string {
	own := slices.SortedFunc(slices.Values(occs), func(a, b store.Occurrence) int { return cmp.Compare(a.Path, b.Path) })
	h := sha256.New()
	for _, o := range own {
		fmt.Fprintf(h, "%s %q\n", o.Hash, o.Path)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// unit names the directory of a package, versions folded, in which a document
// was first met: what is common is counted in units, so that fifty versions of
// a rare algorithm do not make it common.
func unit(p, file string) uint32 { return unitOf(purl.Key(p), file) }

// unitOf is unit for a package's key.
func unitOf[T string | []byte](key string, file T) uint32 {
	var room [256]byte
	sum := sha256.Sum256(append(append(append(room[:0], key...), ' '), dirOf(file)...))
	return binary.LittleEndian.Uint32(sum[:])
}

// dirOf is path.Dir, which of nearly every path is what precedes the last slash.
func dirOf[T string | []byte](file T) T {
	end := len(file) - 1
	for end >= 0 && file[end] != '/' {
		end--
	}
	if end <= 0 || file[end-1] == '/' || file[end-1] == '.' {
		return T(path.Dir(string(file)))
	}
	for i := range end {
		if file[i] == '/' && (file[i+1] == '/' || file[i+1] == '.') || i == 0 && file[0] == '.' {
			return T(path.Dir(string(file)))
		}
	}
	return file[:end]
}

// digester turns a content into a document: detect, tokenise, winnow, compress.
type digester struct {
	tz      *lang.Tokenizer
	enc     *store.Encoder
	params  fingerprint.Params
	key     fingerprint.Key
	values  []uint64
	grams   []uint64
	fps     []fingerprint.Fingerprint
	pairer  Pairer
	remarks comments.Reader
	tables  tables.Reader
}

func newDigester(lim lang.Limits, p fingerprint.Params, key fingerprint.Key) (*digester, error) {
	enc, err := store.NewEncoder()
	return &digester{tz: lang.NewTokenizer(lim), enc: enc, params: p, key: key}, err
}

// digest returns nil when the content is left out, with the reason; and a
// document with a reason when it was not read as its language says.
func (d *digester) digest(j job) (*built, lang.Reason, string) {
	s, l, reason, detail := Tokenize(d.tz, j.path, j.data, d.params.K)
	if l == nil {
		return nil, reason, detail
	}
	b := d.document(j.hash, l, j.data, s)
	b.Unit, b.seq = j.unit, j.seq
	return b, reason, detail
}

// Tokenize reads a content for an index of k-grams, by its words if the parse is given up.
// Without a language it is left out, for the reason; with one, a reason says that it was not
// read as its language is.
func Tokenize(tz *lang.Tokenizer, name string, text []byte, k int) (s lang.Stream, l *lang.Language, reason lang.Reason, detail string) {
	if len(text) > store.MaxText {
		return s, nil, lang.TooLarge, fmt.Sprintf("%d bytes", len(text))
	}
	det := lang.Detect(name, text)
	if det.Skip != "" {
		return s, nil, det.Skip, ""
	}
	s, l, limit, err := tz.TokenizeOrWords(det.Language, text)
	if err != nil {
		return s, nil, lang.Budget, err.Error()
	}
	if n := len(s.Tokens); n < k {
		return s, nil, ReasonTooShort, fmt.Sprintf("%d tokens, a k-gram has %d", n, k)
	}
	if limit != nil {
		return s, l, limit.Reason, limit.Detail
	}
	return s, l, det.Note, det.Reading()
}

// document winnows a text that was read as a language.
func (d *digester) document(h store.Hash, l *lang.Language, text []byte, s lang.Stream) *built {
	d.values = Values(d.values[:0], l, s.Tokens)
	d.grams = fingerprint.KGrams(d.grams[:0], d.values, d.params.K)
	d.key.Order(d.grams)
	d.fps = d.pairer.Pairs(fingerprint.WinnowRobust(d.fps[:0], d.grams, d.params.W), d.key, l, text, s.Tokens)
	d.remarks.Read(l, text, s.Tokens)
	d.fps = d.remarks.Prints(d.fps, d.key, l.Family, len(s.Tokens))
	d.tables.Read(l, text, s.Tokens)
	d.fps = d.tables.Prints(d.fps, d.key, l.Family)
	b := &built{fps: slices.Clone(d.fps)} // of its length: thousands wait for their segment
	head := license.Head(text)
	b.Entry = d.enc.Entry(h, l.Name, head.License, text, s.Tokens, lang.Lines(text))
	b.LicenseAt = store.LicenseAt{LicenseLine: uint32(head.Line), LicenseTag: head.Tag}
	return b
}
