package baseline

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/model"
	file "github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"

	"golang.org/x/sync/errgroup"
)

// modelTokens bounds the sample that a model is learnt from, in tokens per family: about sixteen megabytes of source, which take 0.3 s.
const modelTokens = 2 << 20

// learn makes the model of the next generation. It uses the documents with the lowest hashes of each family, so that the model depends on
// the content of the baseline and not on the order of the changes. A family whose sample is unchanged keeps its tables.
func (w *Writer) learn(ctx context.Context, m *generation.Manifest) error {
	next, err := openAs(w.dir, w.home, m, w.base.segs)
	if err != nil {
		return err
	}
	defer next.Close()
	old, err := w.base.Model()
	if err != nil {
		old = new(model.Model) // the old model is damaged; everything is learnt again
	}
	same, err := w.same(next, m, old)
	if err != nil {
		return err
	}
	is, err := w.model(ctx, next, m, old, same)
	if err == nil && is == nil { // a later program samples differently
		is, err = w.model(ctx, next, m, old, nil)
	}
	if err != nil {
		return err
	}
	out := is.Marshal()
	sum := sha256.Sum256(out)
	m.Model = hex.EncodeToString(sum[:16])
	if err := writeFile(w.home.path(m.ModelFile()), out); err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	return nil
}

// model makes the model of next and records its samples in m. The families in same keep their tables; their units are not passed to a
// builder. It returns nil if the sample of one of these families has changed after all.
func (w *Writer) model(ctx context.Context, next *Baseline, m *generation.Manifest, old *model.Model, same map[string]bool) (*model.Model, error) {
	var b model.Builder
	most := cmp.Or(w.learnt, modelTokens)
	samples, err := next.samples(&b, same, most)
	if err != nil {
		return nil, err
	}
	var kept []string
	m.Samples = make(map[string]string)
	for _, family := range slices.Sorted(maps.Keys(samples)) {
		s := samples[family]
		s.name = s.digest(most)
		m.Samples[family] = s.name
		if old.Has(family) && w.man.Samples[family] == m.Samples[family] {
			kept = append(kept, family)
		} else if same[family] {
			return nil, nil
		} else if err := w.count(ctx, next, &b, s); err != nil {
			return nil, err
		}
	}
	is := b.Model()
	for _, family := range kept {
		if same[family] {
			is.Carry(old, family)
		} else {
			is.Keep(old, family)
		}
	}
	return is, nil
}

// count counts the sample of a family. With a directory for counts, it counts only the documents that this sample added or lost against the
// one before. Counts that are missing or cannot be written only cost time.
func (w *Writer) count(ctx context.Context, next *Baseline, to *model.Builder, s *sample) error {
	before := w.man.Samples[s.family]
	if w.counted == "" || before == "" || !w.base.Key().IsZero() { // data of a baseline with a key is never written elsewhere
		return next.count(ctx, to, s.docs)
	}
	counts, err := w.recount(ctx, next, s, before)
	if err != nil {
		return err
	}
	if counts == nil {
		var b model.Builder
		if err := next.count(ctx, &b, s.docs); err != nil {
			return err
		}
		counts = b.Counts(s.family)
	}
	units := make(map[uint32]bool)
	for _, d := range s.docs {
		units[d.Unit] = true
	}
	to.Take(s.family, counts, units)
	w.note(before, s, counts)
	return nil
}

// recount updates the counts of the previous sample to this one. It returns nil if that is not possible.
func (w *Writer) recount(ctx context.Context, next *Baseline, s *sample, before string) (*model.Counts, error) {
	was, counts := w.kept(before)
	if counts == nil {
		return nil, nil
	}
	left := make(map[sampled]bool, len(was))
	for _, c := range was {
		left[c] = true
	}
	var plus, minus []Document
	for _, d := range s.docs {
		c := sampled{d.Hash, d.Unit, d.Scheme}
		if !left[c] {
			plus = append(plus, d)
		}
		delete(left, c)
	}
	for _, c := range was { // in the order of the old sample
		if !left[c] {
			continue
		}
		d, ok, err := next.Find(c.hash)
		if err != nil || !ok || d.Scheme != c.scheme {
			return nil, err // the document is gone, or its tokens were made by other rules
		}
		d.Unit = c.unit
		minus = append(minus, d)
	}
	if len(plus)+len(minus) > len(s.docs)/2 {
		return nil, nil
	}
	var more, less model.Builder
	if err := next.count(ctx, &more, plus); err != nil {
		return nil, err
	}
	if err := next.count(ctx, &less, minus); err != nil {
		return nil, err
	}
	if counts.Change(more.Counts(s.family), less.Counts(s.family)) != nil {
		return nil, nil
	}
	w.recounts++
	return counts, nil
}

// sampled is a document of a sample.
type sampled struct {
	hash   store.Hash
	unit   uint32
	scheme string
}

// countedSuffix ends the name of a file of counts. The name begins with the digest of a sample. The file has one line for each document, an
// empty line, and the output of [model.Counts].Marshal.
const countedSuffix = ".counted"

// Bounds of files of counts, in bytes: one file, and all files together. Two million tokens take 6 MB. The second bound removes files of
// baselines that no longer exist.
const (
	mostCounted = 64 << 20
	allCounted  = 512 << 20
)

// kept reads the documents and counts of a sample. It returns nil if there is no valid file.
func (w *Writer) kept(digest string) ([]sampled, *model.Counts) {
	data, err := file.ReadSmallLimit(filepath.Join(w.counted, digest+countedSuffix), mostCounted)
	if err != nil {
		return nil, nil
	}
	head, body, ok := bytes.Cut(data, []byte("\n\n"))
	if !ok {
		return nil, nil
	}
	var docs []sampled
	var check sample
	for line := range strings.SplitSeq(string(head), "\n") {
		hash, rest, _ := strings.Cut(line, " ")
		unit, scheme, _ := strings.Cut(rest, " ")
		sum, err := hex.DecodeString(hash)
		n, err2 := strconv.ParseUint(unit, 10, 32)
		if err != nil || err2 != nil || len(sum) != len(store.Hash{}) {
			return nil, nil
		}
		c := sampled{store.Hash(sum), uint32(n), scheme}
		docs = append(docs, c)
		check.docs = append(check.docs, Document{Document: store.Document{Hash: c.hash, Unit: c.unit, Scheme: c.scheme}})
	}
	counts, err := model.UnmarshalCounts(body)
	if err != nil || check.digest(cmp.Or(w.learnt, modelTokens)) != digest {
		return nil, nil
	}
	return docs, counts
}

// note writes the counts of a sample and removes those of the sample before.
func (w *Writer) note(before string, s *sample, counts *model.Counts) {
	var b bytes.Buffer
	for _, d := range s.docs {
		fmt.Fprintf(&b, "%x %d %s\n", d.Hash[:], d.Unit, d.Scheme)
	}
	b.WriteByte('\n')
	b.Write(counts.Marshal())
	if b.Len() > mostCounted || disk.MakeDir(w.counted) != nil || disk.WriteFile(filepath.Join(w.counted, s.name+countedSuffix), generation.TempPrefix+"*", b.Bytes()) != nil {
		return // the next change counts everything
	}
	if before != s.name {
		_ = disk.Remove(filepath.Join(w.counted, before+countedSuffix)) // a file that is left is trimmed another time
	}
	disk.Trim(w.counted, allCounted)
}

// same lists the families whose documents a change leaves untouched. The change must only add segments. Neither the new segments nor other
// files of their packages may contain the family.
func (w *Writer) same(next *Baseline, m *generation.Manifest, old *model.Model) (map[string]bool, error) {
	n := len(w.man.Segments)
	if n > len(m.Segments) || !slices.EqualFunc(m.Segments[:n], w.man.Segments, generation.Segment.Equal) {
		return nil, nil
	}
	families, err := next.families()
	if err != nil {
		return nil, err
	}
	same := make(map[string]bool)
	for family := range w.man.Samples {
		same[family] = old.Has(family)
	}
	for _, p := range w.base.segs { // a program with other rules may have left out other documents
		languages, schemes, err := p.docs.Languages()
		if err != nil {
			return nil, blame.On(w.dir, err)
		}
		for i, name := range languages {
			if l := lang.ByName(name); l != nil && outdated(name, schemes[i]) {
				delete(same, l.Family)
			}
		}
	}
	for _, p := range next.segs[n:] {
		if err := disk.Guard(func() error {
			for i := range p.docs.Docs() {
				made, err := p.docs.Made(i)
				if err != nil {
					return err
				}
				delete(same, families[p][made])
			}
			return nil
		}); err != nil {
			return nil, blame.On(w.dir, err)
		}
		var lost error
		err := p.docs.AllOccurrences(func(o store.Occurrence) {
			d, known, err := w.base.Find(o.Hash)
			lost = cmp.Or(lost, err)
			if l := lang.ByName(d.Language); known && l != nil {
				delete(same, l.Family)
			}
		})
		if err = cmp.Or(err, lost); err != nil {
			return nil, blame.On(w.dir, err)
		}
	}
	return same, nil
}

// sample holds the documents that the model of a family is learnt from.
type sample struct {
	family string
	name   string     // its digest, once all its documents are known
	docs   []Document // each with its sampling unit
	tokens int
}

// learning is a version. It is raised when the same sample would give another model.
const learning = 2

// digest names everything that the model depends on.
func (s *sample) digest(most int) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d\n", learning, most)
	for _, d := range s.docs {
		fmt.Fprintf(h, "%s %d %s\n", d.Hash, d.Unit, d.Scheme)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// ofOnePackage is how many directories of a package count for one name at most. A name that one package uses throughout is still its own,
// and as rare as any other (rare in package model).
const ofOnePackage = 3

// standard lists the standard libraries. Everybody uses their names, so each of their directories counts.
var standard = []string{"pkg:golang/std", "pkg:generic/cpython", "pkg:generic/ruby", "pkg:generic/openjdk", "pkg:generic/rust"}

// A document's sampling unit has the package without its version in its upper half and the directory in its lower half.
const (
	unitHalf   = 1 << 16
	everybodys = unitHalf - 1 // in the upper half: a standard library
)

// units caches the upper half of the unit of each package.
type units map[string]uint32

// of returns the unit of a file of a package.
func (u units) of(key string, file []byte) uint32 {
	pkg, ok := u[key]
	if !ok {
		pkg = everybodys
		if !slices.Contains(standard, key) {
			sum := sha256.Sum256([]byte(key))
			pkg = binary.LittleEndian.Uint32(sum[:]) % everybodys
		}
		u[key] = pkg
	}
	return pkg*unitHalf + unitOf(key, file)%unitHalf
}

// namedUnit returns the unit that names are counted for: the directories of a package are folded into a few.
func namedUnit(unit uint32) uint32 {
	if unit/unitHalf == everybodys {
		return unit
	}
	return unit/unitHalf*ofOnePackage + unit%unitHalf%ofOnePackage
}

// samples passes the units of all families that may have changed to the builder. It picks the documents to be counted: in each family,
// until they have more than most tokens.
func (b *Baseline) samples(to *model.Builder, same map[string]bool, most int) (map[string]*sample, error) {
	out, units := make(map[string]*sample), make(units)
	families, err := b.families()
	if err != nil {
		return nil, err
	}
	err = disk.Guard(func() error {
		return b.census(func(id DocID, at place) error {
			p, i := b.part(id)
			made, err := p.docs.Made(i)
			if err != nil {
				return blame.On(b.dir, err)
			}
			family := families[p][made]
			if family == "" {
				return nil
			}
			s := out[family]
			if s == nil {
				s = &sample{family: family}
				out[family] = s
			}
			full := s.tokens > most
			if full && same[family] {
				return nil
			}
			unit := units.of(at.key, at.path)
			if !same[family] {
				to.Unit(family, unit)
			}
			if full {
				return nil
			}
			d, err := b.Doc(id)
			if err != nil {
				return err
			}
			d.Unit = unit
			s.tokens += int(d.Tokens)
			s.docs = append(s.docs, d)
			return nil
		})
	})
	return out, err
}

// families returns the family of each language of a segment. It is "" if a model learns nothing from documents of the language.
func (b *Baseline) families() (map[*part][]string, error) {
	out := make(map[*part][]string)
	for _, p := range b.segs {
		languages, schemes, err := p.docs.Languages()
		if err != nil {
			return nil, blame.On(b.dir, err)
		}
		names := make([]string, len(languages))
		for i, name := range languages {
			if l := lang.ByName(name); l != nil && !outdated(name, schemes[i]) {
				names[i] = l.Family
			}
		}
		out[p] = names
	}
	return out, nil
}

// counted is a decoded document. Decoding is half of the work and runs in parallel.
type counted struct {
	Document
	tokens []lang.Token
	text   []byte
}

// count counts documents in the order in which they are decoded.
func (b *Baseline) count(ctx context.Context, to *model.Builder, docs []Document) error {
	if len(docs) == 0 {
		return nil
	}
	ids := make([]DocID, len(docs))
	tokens := 0
	for i, d := range docs {
		ids[i] = d.ID
		tokens += int(d.Tokens)
	}
	to.Expect(lang.ByName(docs[0].Language).Family, tokens)
	if err := b.Bring(ids, true); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	decoded := make(chan counted, 16)
	var at atomic.Int64
	var open sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		open.Add(1)
		g.Go(func() error {
			defer open.Done()
			for i := at.Add(1) - 1; i < int64(len(docs)); i = at.Add(1) - 1 {
				c, err := b.decode(docs[i])
				if err != nil {
					return err
				}
				select {
				case decoded <- c:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		open.Wait()
		close(decoded)
		return nil
	})
	for c := range decoded {
		to.Add(lang.ByName(c.Language).Family, c.Unit, namedUnit(c.Unit), c.tokens, c.text)
	}
	return g.Wait()
}

func (b *Baseline) decode(d Document) (counted, error) {
	toks, _, err := b.Tokens(d)
	if err != nil {
		return counted{}, err
	}
	text, err := b.Text(d)
	return counted{d, toks, text}, err
}
