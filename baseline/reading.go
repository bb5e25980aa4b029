package baseline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/baseline/tables"
	"github.com/git-provenance/git-provenance/lang"
)

// This file has what Add and Add in pieces do alike: a package is read by a surveyor, a content becomes a document by a digester.

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

// built is a document ready for a segment.
type built struct {
	store.Entry
	fps []fingerprint.Fingerprint
	seq int // of the path it was read under
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
	d.fps = d.pairer.Pairs(fingerprint.WinnowRobust(d.fps[:0], d.grams, d.params.W), d.key, NamedText{Language: l, Text: text, Tokens: s.Tokens})
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
