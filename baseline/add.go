package baseline

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/internal/learning"
	"github.com/git-provenance/git-provenance/baseline/internal/maker"
	"github.com/git-provenance/git-provenance/baseline/internal/survey"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"

	"golang.org/x/sync/errgroup"
)

// largeText is the size in bytes from which texts are processed one at a time, and their buffers are released
// afterwards. A text of 16 MB, which is data, takes 400 MB for its tokens and the data made from them.
const largeText = 2 << 20

// AddOptions sets how packages are read.
type AddOptions struct {
	Workers  int
	Progress func(purl string, files int, bytes int64) // may be nil; called from one goroutine
	Skipped  func(Skip)                                // may be nil; called in the order of reading
	Counted  string                                    // directory for the counts of the model, so that the next Add counts only new documents; "" keeps no counts
}

// Added sums up what Add did.
type Added struct {
	Packages, Unchanged, Files, Documents, Known int
	Bytes                                        int64
	Skipped                                      map[lang.Reason]int
}

// outcome says why a named content is not in the baseline, or only in part.
type outcome struct {
	reason  lang.Reason
	detail  string
	partial bool // indexed by its words only
}

// meeting is the record of one content in a run. It is small, since a run can have millions of contents.
type meeting struct {
	unit  uint32 // sampling unit of its first path
	first uint32 // index of its first occurrence
	state state
}

// state is how far a content has been processed.
type state uint8

const (
	isRead    state = iota // it may become a document
	isMade                 // it is a document
	isWritten              // it is in a segment of this run
)

// note is a skip with its number in the order of reading.
type note struct {
	seq int
	Skip
}

// named is a content under a file name. The result depends on nothing else, so each is processed once, however many
// packages and versions have it.
type named struct {
	hash store.Hash
	base string
}

// job is a new named content on its way to a worker.
type job struct {
	named
	seq  int
	unit uint32 // sampling unit of the content's first path
	path string
	data []byte
}

// repeated reads a package with the name of an earlier package of the same call, and returns the entry that says how both differ.
// used is the earlier package, has are its files. A damaged archive has the same entry as if no other package had its name.
func repeated(ctx context.Context, p, used *source.Package, has map[string]store.Hash, lim source.Limits) (Skip, error) {
	s := Skip{p.PURL, p.From, ReasonDuplicate, "named twice in one call; the first is used"}
	if p.Remote() || p.From == used.From { // one place, or one address whose checksum tells what it holds
		return s, nil
	}
	files, other := 0, 0
	err := p.Walk(ctx, lim, func(path string, data []byte) error {
		if files++; has[path] != store.Sum(data) {
			other++
		}
		return nil
	}, nil)
	switch {
	case err == nil && other == 0 && files == len(has):
	case err == nil:
		s.Detail += "; this one has other files"
	case source.Broken(err):
		s = Skip{PURL: p.PURL, Reason: ReasonBroken, Detail: err.Error()}
	default:
		return s, err
	}
	return s, nil
}

// adder is one run of Add.
type adder struct {
	w      *Writer
	o      AddOptions
	pkgs   []Package
	occs   []store.Occurrence
	at     []int                  // of each occurrence: its number in the order of reading
	met    map[store.Hash]meeting // contents handed to a worker under their first file name
	again  map[named]bool         // contents handed to a worker under other file names
	jobs   chan job
	open   sync.WaitGroup // jobs handed out and not yet done
	fresh  int64          // bytes of new text since the last flush
	sum    Added
	seq    int
	parts  []generation.Segment
	survey *survey.Surveyor

	used   *source.Package // the last of pkgs
	broken error           // error of the first package whose archive cannot be read

	large    sync.Mutex // held for a large text
	mu       sync.Mutex
	ready    []*built
	notes    []note
	outcomes map[named]outcome
}

// Add reads packages, in the order of their package URLs, into a new generation. A package that the baseline already
// has with the same files, licence and release date is kept. Otherwise it is replaced. On an error other than
// *CompactError the baseline is unchanged.
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
	a = nil // frees the records of files, which take as much memory as the merge needs
	return sum, w.compactIfDue(ctx, before)
}

func newAdder(w *Writer, o AddOptions) *adder {
	a := &adder{w: w, o: o, met: make(map[store.Hash]meeting), again: make(map[named]bool), outcomes: make(map[named]outcome), survey: new(survey.Surveyor)}
	a.sum.Skipped = make(map[lang.Reason]int)
	return a
}

func (a *adder) add(ctx context.Context, pkgs []*source.Package) error {
	if err := a.read(ctx, pkgs); err != nil {
		return err
	}
	for _, b := range a.ready {
		a.reach(b.Hash, isMade)
	}
	m, changed, err := a.nextManifest(func(h store.Hash) bool { return a.met[h].state >= isMade }, func(pkgs []Package, occs []store.Occurrence) (generation.Segment, error) {
		return a.segment(a.ready, pkgs, occs)
	})
	if err != nil {
		return err
	}
	if !changed { // the packages turned out to be known; parts of them may be written
		return a.w.sweep()
	}
	a.met, a.again, a.outcomes, a.occs, a.ready, a.survey = nil, nil, nil, nil, nil, nil // frees memory for learning
	return a.w.commit(ctx, m)
}

// reach records how far a content has been processed.
func (a *adder) reach(h store.Hash, s state) {
	c := a.met[h]
	c.state = max(c.state, s)
	a.met[h] = c
}

// read runs one reader and the workers. The reader alone decides which contents are new, so the outcome does not depend
// on the number of workers.
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
		if p.Standard && a.used.Standard {
			return nil // two lock files list it: nobody named it twice
		}
		has := make(map[string]store.Hash)
		for i := len(a.occs) - 1; i >= 0 && a.occs[i].Package == uint32(idx-1); i-- {
			has[a.occs[i].Path] = a.occs[i].Hash
		}
		s, err := repeated(ctx, p, a.used, has, source.Limits{})
		if err == nil {
			a.skip(s)
		}
		return err
	}
	a.pkgs = append(a.pkgs, Package{PURL: p.PURL})
	from := a.seq
	a.survey.File = func(path string, data []byte) error { return a.file(ctx, idx, path, data) }
	a.survey.Skip = func(path string, reason lang.Reason, detail string) { a.skip(Skip{p.PURL, path, reason, detail}) }
	pkg, err := a.survey.Read(ctx, p)
	if err != nil && a.seq == from && source.Broken(err) { // no file of it was passed on, so the other packages can still be read
		a.pkgs = a.pkgs[:idx]
		a.skip(Skip{PURL: p.PURL, Reason: ReasonBroken, Detail: err.Error()})
		a.broken = cmp.Or(a.broken, fmt.Errorf("read %s: %w", p.PURL, err))
		return nil
	}
	a.pkgs[idx], a.used = pkg, p
	return err
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
	n := named{h, path.Base(file)}
	c, again := a.met[h]
	switch {
	case !again:
		c = meeting{unit: learning.Unit(a.pkgs[pkg].PURL, file), first: uint32(len(a.occs) - 1)}
		a.met[h] = c
	case path.Base(a.occs[c.first].Path) == n.base || a.again[n]:
		return nil
	default:
		a.again[n] = true
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
	case a.jobs <- job{n, a.seq, c.unit, file, data}:
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

// work turns contents into documents until the channel is closed.
func (a *adder) work(ctx context.Context) error {
	d, err := maker.New(lang.Limits{}, a.w.man.Params, a.w.base.key)
	if err != nil {
		return err
	}
	defer func() { d.Close() }()
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

// keepLarge processes a large text alone. It returns a new digester, because the old one keeps buffers of the size of
// that text.
func (a *adder) keepLarge(j job, d *maker.Maker) (*maker.Maker, error) {
	a.large.Lock()
	defer a.large.Unlock()
	a.keep(j, d)
	next, err := maker.New(lang.Limits{}, a.w.man.Params, a.w.base.key)
	if err != nil {
		return d, err
	}
	d.Close()
	return next, nil
}

func (a *adder) keep(j job, d *maker.Maker) {
	b, out := d.Make(j.hash, j.path, j.data)
	a.mu.Lock()
	defer a.mu.Unlock()
	if out.Reason != "" {
		a.outcomes[j.named] = outcome{out.Reason, out.Detail, b != nil}
	}
	if b != nil {
		b.Unit = j.unit
		a.ready = append(a.ready, &built{b, j.seq})
	}
}

// report passes the skips on in the order of reading and counts them, for every package that has the file.
func (a *adder) report() {
	for i, o := range a.occs {
		out, ok := a.outcomes[named{o.Hash, path.Base(o.Path)}]
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
		if i, in := byPURL[n.PURL]; in { // broken packages are not in the list
			a.pkgs[i].Skipped[string(n.Reason)]++
		}
		if a.o.Skipped != nil {
			a.o.Skipped(n.Skip)
		}
	}
}

// flush writes the waiting documents as a segment without packages once their text reaches flushBytes. It waits for the
// workers first, so that the contents of a segment depend only on the input.
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
