package baseline

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/pairs"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/baseline/tables"
	"github.com/git-provenance/git-provenance/lang"
)

// This file has the code that Add and Add in pieces share. A surveyor reads a package. A digester turns a content into a
// document.

// reading is a content under a file name. The result depends on nothing else, so each reading is processed once, however many
// packages and versions have it.
type reading struct {
	hash store.Hash
	base string
}

// job is a new reading on its way to a worker.
type job struct {
	reading
	seq  int
	unit uint32 // sampling unit of the content's first path
	path string
	data []byte
}

// built is a document ready for a segment.
type built struct {
	store.Entry
	fps []fingerprint.Fingerprint
	seq int // of the path under which it was read
}

func duplicate(purl, from string) Skip {
	return Skip{purl, from, ReasonDuplicate, "named twice in one call; the first is used"}
}

// longBefore is the least time between the date of an archive's files and its release for both to be recorded. A registry that
// copies others dates the copies.
const longBefore = 30 * 24 * time.Hour

// surveyor reads packages: their licences, their metadata and their files.
type surveyor struct {
	limits source.Limits
	told   map[store.Hash]license.Statement // licence files read, without their paths
	file   func(path string, data []byte) error
	skip   func(Skip)
}

func (s *surveyor) read(ctx context.Context, p *source.Package) (Package, error) {
	pkg := Package{PURL: p.PURL, License: license.Expression(p.License), Asked: p.Asked, Released: p.Released, From: p.From, Repository: p.Repository, Skipped: make(map[string]int)}
	unread := 0                        // files that state a licence
	var licences, texts []license.File // licence files at the root; texts in the folder of REUSE
	var heads license.Versions
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
		heads.Read(path, data)
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
		pkg.Statements, pkg.License = heads.Settle(pkg.Statements, pkg.License)
	} else {
		pkg.Statements, _ = heads.Settle(pkg.Statements, "")
	}
	if p.Asked {
		pkg.Statements = slices.DeleteFunc(pkg.Statements, func(s license.Statement) bool { return s.OfRoot() })
	}
	slices.SortFunc(pkg.Statements, func(x, y license.Statement) int { return cmp.Compare(x.Path, y.Path) })
	return pkg, nil
}

// packageLicense returns the licence of the files at the root. If they have none, it is that of the texts in the folder of REUSE,
// and otherwise the licence that a list gives to all files.
func packageLicense(licences, texts []license.File, statements []license.Statement) string {
	for _, files := range [][]license.File{licences, texts} {
		if e := license.Package(files); e != license.NoAssertion {
			return e
		}
	}
	return cmp.Or(license.Whole(statements), license.NoAssertion)
}

// maxStatements bounds the licence files of one package. Bundles of a thousand packages have two of each.
const maxStatements = 4096

// state adds the licence statement of a file. Each content is parsed once, since a bundle has the same text a hundred times.
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

// digester turns a content into a document: it detects the language, tokenises, winnows and compresses.
type digester struct {
	tz      *lang.Tokenizer
	enc     *store.Encoder
	params  fingerprint.Params
	key     fingerprint.Key
	values  []uint64
	grams   []uint64
	fps     []fingerprint.Fingerprint
	pairs   pairs.Reader
	remarks comments.Reader
	tables  tables.Reader
	heads   license.Heads
}

func newDigester(lim lang.Limits, p fingerprint.Params, key fingerprint.Key) (*digester, error) {
	enc, err := store.NewEncoder()
	return &digester{tz: lang.NewTokenizer(lim), enc: enc, params: p, key: key}, err
}

// digest returns nil and the reason if the content is left out. It returns a document with a reason if the content was not read
// by the rules of its language.
func (d *digester) digest(j job) (*built, lang.Reason, string) {
	s, text, l, reason, detail := Tokenize(d.tz, j.path, j.data, d.params.K)
	if l == nil {
		return nil, reason, detail
	}
	b := d.document(j.hash, l, text, s)
	b.Unit, b.seq = j.unit, j.seq
	return b, reason, detail
}

// Tokenize reads a content for an index of k-grams, and returns the text that its tokens are of. It falls back to words if the parse
// is given up. If it returns no language, the content is left out for the reason given. If it returns a language and a reason, the
// content was not read by the rules of its language, or not all of it.
func Tokenize(tz *lang.Tokenizer, name string, content []byte, k int) (s lang.Stream, text []byte, l *lang.Language, reason lang.Reason, detail string) {
	if len(content) > store.MaxText {
		return s, nil, nil, lang.TooLarge, fmt.Sprintf("%d bytes", len(content))
	}
	det := lang.Detect(name, content)
	if text = det.Text; len(text) > store.MaxText {
		return s, text, nil, lang.TooLarge, fmt.Sprintf("%d bytes of text", len(text))
	}
	if det.Skip != "" {
		return s, text, nil, det.Skip, ""
	}
	s, l, limit, err := tz.TokenizeOrWords(det.Language, text)
	if err != nil {
		return s, text, nil, lang.Budget, err.Error()
	}
	if n := len(s.Tokens); n < k {
		return s, text, nil, ReasonTooShort, fmt.Sprintf("%d tokens, a k-gram has %d", n, k)
	}
	if limit != nil {
		return s, text, l, limit.Reason, limit.Detail
	}
	return s, text, l, det.Note, det.Reading()
}

// document makes the fingerprints and the entry of a text and its tokens.
func (d *digester) document(h store.Hash, l *lang.Language, text []byte, s lang.Stream) *built {
	d.values = Values(d.values[:0], l, s.Tokens)
	d.grams = fingerprint.KGrams(d.grams[:0], d.values, d.params.K)
	d.key.Order(d.grams)
	d.fps = d.pairs.Prints(fingerprint.WinnowRobust(d.fps[:0], d.grams, d.params.W), d.key, pairs.Text{Language: l, Content: text, Tokens: s.Tokens})
	d.remarks.Read(l, text, s.Tokens)
	d.fps = d.remarks.Prints(d.fps, d.key, l.Family, len(s.Tokens))
	d.tables.Read(l, text, s.Tokens)
	d.fps = d.tables.Prints(d.fps, d.key, l.Family)
	b := &built{fps: slices.Clone(d.fps)} // clipped to its length: thousands of them wait for their segment
	head := d.heads.Read(text)
	b.Entry = d.enc.Entry(store.Content{Hash: h, Language: l.Name, License: head.License, Text: text, Tokens: s.Tokens, Lines: lang.Lines(text)})
	b.LicenseAt = store.LicenseAt{LicenseLine: uint32(head.Line), LicenseTag: head.Tag}
	return b
}

// CompareEntries orders documents by hash. For equal contents, a language with a grammar comes first.
func CompareEntries(x, y *store.Entry) int {
	words := func(e *store.Entry) int {
		if e.Language == lang.Words().Name {
			return 1
		}
		return 0
	}
	return cmp.Or(compareHash(x.Hash, y.Hash), cmp.Compare(words(x), words(y)))
}
