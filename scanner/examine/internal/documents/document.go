package documents

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/syntax/boilerplate"
	"github.com/git-provenance/git-provenance/scanner/syntax/contract"
	"github.com/git-provenance/git-provenance/scanner/syntax/declarations"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// Document is a document whose parts are decoded when they are read. Each method computes its answer once.
type Document struct {
	baseline.Document
	Key    lookup.Key
	Stream *lang.BlockStream
	Code   *lang.BlockStream // tokens of the code, if Stream holds the words of the comments (OfWords)
	in     *Cache
	size   int // bytes in the cache, guarded by its mutex

	text        once[[]byte]
	generated   once[bool]
	holders     once[holders]
	occurrences once[[]baseline.Occurrence]
	boilerplate once[Boilerplate]
	contracts   once[[]contract.Signature]
	imports     once[[]imports.Import]
	clauses     once[imports.Clauses]
	functions   once[[]functions.Function]
	declared    once[declarations.Names]
	echoes      once[map[string][]string]
	modules     once[*license.Modules]
	licences    once[[]license.Span]
	index       once[*textIndex]
	searches    atomic.Int32 // without a known answer
}

// once is a value that is computed at the first call.
type once[T any] struct {
	sync.Once
	value T
	err   error
}

func (o *once[T]) get(work func() (T, error)) (T, error) {
	o.Do(func() { o.value, o.err = work() })
	return o.value, o.err
}

// Len returns the number of tokens.
func (d *Document) Len() uint64 { return uint64(d.Stream.Len()) }

// Side returns the document in the form that package match compares, without its text.
func (d *Document) Side() match.Side { return match.Side{Blocks: d.Stream} }

// Occurrences returns the packages and paths that have the document. Callers must not change them. A release date that is not
// plausible is left out: some tools write 1980 for every package. The answer is kept because many files ask for the same document,
// and reading the licences takes time.
func (d *Document) Occurrences() ([]baseline.Occurrence, error) {
	return d.occurrences.get(func() ([]baseline.Occurrence, error) {
		out, err := d.in.bases[d.Key.Baseline].Occurrences(d.Document)
		for i := range out {
			out[i].Released = versions.Plausible(out[i].Released, time.Time{})
		}
		const each = 128 // bytes
		d.in.grow(d, each*len(out))
		return out, err
	})
}

// Names returns the names of the document.
func (d *Document) Names() (store.NameSet, error) { return d.in.Names(d.Key) }

// Read returns the document's text.
func (d *Document) Read() ([]byte, error) {
	return d.text.get(func() ([]byte, error) {
		text, err := d.in.bases[d.Key.Baseline].Text(d.Document)
		d.in.grow(d, len(text))
		return text, err
	})
}

// Text returns the text if it was read, else nil.
func (d *Document) Text() []byte { return d.text.value }

// Generated reports whether the document says that a program wrote it. The text must have been read.
func (d *Document) Generated() bool {
	says, _ := d.generated.get(func() (bool, error) { return lang.SaysGenerated(d.Text()), nil })
	return says
}

// holders are the holders of a document's copyright.
type holders struct {
	head  []string // one of each line
	all   []string // of the head
	below bool     // others are named below the head
}

// Holders lists the holders of the copyright that the head of the document names.
func (d *Document) Holders() ([]string, error) {
	h, err := d.findHolders()
	return h.head, err
}

// SoleHolders lists all holders that the head names, if no others are named below.
func (d *Document) SoleHolders() ([]string, error) {
	h, err := d.findHolders()
	if h.below {
		return nil, err
	}
	return h.all, err
}

func (d *Document) findHolders() (holders, error) {
	return d.holders.get(func() (holders, error) {
		text, err := d.Read()
		if err != nil {
			return holders{}, err
		}
		ss := attribution.Scan(text, d.Language == lang.Words().Name)
		return holders{attribution.Holders(ss), attribution.AllHolders(ss), attribution.HoldersBelow(ss)}, nil
	})
}

// Boilerplate lists the stretches of a document that a transpiler, a bundler or an IDE writes into everybody's output.
type Boilerplate struct {
	List []boilerplate.Span
	All  bool // all of the document is boilerplate, since its package publishes helpers
}

// Boilerplate returns the boilerplate of the document.
func (d *Document) Boilerplate() (Boilerplate, error) { return d.boilerplate.get(d.findBoilerplate) }

func (d *Document) findBoilerplate() (out Boilerplate, err error) {
	occs, err := d.Occurrences()
	if err != nil {
		return out, err
	}
	if slices.ContainsFunc(occs, func(o baseline.Occurrence) bool { return boilerplate.IsPackage(purl.Name(o.PURL)) }) {
		return Boilerplate{All: true}, nil
	}
	text, err := d.Read()
	if err != nil {
		return out, err
	}
	toks := d.Stream.All()
	out.List = boilerplate.Find(d.Language, text, toks)
	const each = 32 // bytes
	d.in.grow(d, each*len(out.List))
	return out, nil
}

// Contracts returns the signatures that are fixed by what the document implements. The text must have been read.
func (d *Document) Contracts() []contract.Signature {
	out, _ := d.contracts.get(func() ([]contract.Signature, error) {
		toks := d.Stream.All()
		found := contract.Find(lang.ByName(d.Language), d.Text(), toks)
		const each = 80 // bytes
		d.in.grow(d, each*len(found))
		return found, nil
	})
	return out
}

// Imports lists the imports of the document. The text must have been read.
func (d *Document) Imports() []imports.Import {
	out, _ := d.imports.get(func() ([]imports.Import, error) {
		toks := d.Stream.All()
		found := imports.Find(lang.ByName(d.Language), d.Text(), toks)
		n := 0
		for _, i := range found {
			n += i.Bytes()
		}
		d.in.grow(d, n)
		return found, nil
	})
	return out
}

// Clauses returns the package and import clauses of the document. The text must have been read.
func (d *Document) Clauses() imports.Clauses {
	out, _ := d.clauses.get(func() (imports.Clauses, error) {
		toks := d.Stream.All()
		found := imports.ClausesOf(lang.ByName(d.Language), d.Text(), toks)
		const each = 192 // bytes
		d.in.grow(d, each*len(found.Paths))
		return found, nil
	})
	return out
}

// Modules returns what the document says about the licences of its modules, if it is a bundle. The text must have been read.
func (d *Document) Modules() *license.Modules {
	out, _ := d.modules.get(func() (*license.Modules, error) {
		found := license.ReadModules(d.Text())
		d.in.grow(d, found.Bytes())
		return found, nil
	})
	return out
}

// Licences lists the parts of the text that are the wording of a licence, disjoint and in ascending order. The text must have been read.
func (d *Document) Licences() []license.Span {
	out, _ := d.licences.get(func() ([]license.Span, error) {
		var found []license.Span
		for _, s := range license.Spans(d.Text()) {
			if n := len(found); n > 0 && s.From <= found[n-1].To {
				found[n-1].To = max(found[n-1].To, s.To)
				continue
			}
			found = append(found, s)
		}
		const each = 16 // bytes
		d.in.grow(d, each*len(found))
		return found, nil
	})
	return out
}

// Functions lists the functions of the document. The text must have been read.
func (d *Document) Functions() []functions.Function {
	out, _ := d.functions.get(func() ([]functions.Function, error) {
		toks := d.Stream.All()
		found := functions.Find(cmp.Or(lang.ByName(d.Language), lang.Words()), d.Text(), toks)
		const each = 24 // bytes
		d.in.grow(d, each*len(found))
		return found, nil
	})
	return out
}

// Declared returns the names that the document declares. The text must have been read.
func (d *Document) Declared() declarations.Names {
	out, _ := d.declared.get(func() (declarations.Names, error) {
		toks := d.Stream.All()
		found := declarations.Find(cmp.Or(lang.ByName(d.Language), lang.Words()), d.Text(), toks)
		const each = 64 // bytes
		d.in.grow(d, each*len(found))
		return found, nil
	})
	return out
}

// Echoes returns the names of the document that repeat their types. The text must have been read.
func (d *Document) Echoes() map[string][]string {
	out, _ := d.echoes.get(func() (map[string][]string, error) {
		found := declarations.Echoes(cmp.Or(lang.ByName(d.Language), lang.Words()), d.Text(), d.Stream.All())
		const each = 160 // bytes
		d.in.grow(d, each*len(found))
		return found, nil
	})
	return out
}

// TextAt returns the text of a token. The text of the document must have been read.
func (d *Document) TextAt(token uint32) []byte {
	t := d.Stream.Span(token)
	return d.Text()[t.Start:t.End]
}

// NameAt returns a name of the document in the form that a report shows. The text must have been read.
func (d *Document) NameAt(token int) string { return finding.NameInCode(d.TextAt(uint32(token))) }

// LastLine returns the line on which a token ends. The text must have been read.
func (d *Document) LastLine(token uint32) int {
	return d.Stream.Line(token) + bytes.Count(d.TextAt(token), []byte{'\n'})
}

// Begins reports whether a token is the first on its line, or the end of the document.
func (d *Document) Begins(token uint32) bool {
	return token == 0 || int(token) >= d.Stream.Len() || d.Stream.Line(token) != d.Stream.Line(token-1)
}

// OfWords returns a document whose tokens are the words of this one's comments. The text must have been read.
func (d *Document) OfWords(words []lang.Token) *Document {
	out := &Document{Document: d.Document, Key: d.Key, Code: d.Stream, in: d.in}
	text := d.Text()
	_, _ = out.text.get(func() ([]byte, error) { return text, nil })
	out.Stream = lang.NewBlockStream(len(words), []lang.Shape{{Class: lang.Word}}, wordBlocks{words, lang.Lines(text)}, nil)
	return out
}

// wordBlocks holds the words of comments as blocks of a stream. All words have one shape.
type wordBlocks struct {
	words []lang.Token
	lines lang.LineIndex
}

func (b wordBlocks) block(n int) []lang.Token {
	return b.words[n*lang.BlockTokens : min(len(b.words), (n+1)*lang.BlockTokens)]
}

func (b wordBlocks) Kinds(block int) []byte { return make([]byte, len(b.block(block))) }

func (b wordBlocks) Spans(dst []lang.Span, block int) []lang.Span {
	for _, w := range b.block(block) {
		dst = append(dst, lang.Span{Start: w.Start, End: w.End})
	}
	return dst
}

func (b wordBlocks) Lines(_ int, spans []lang.Span) []uint32 {
	out := make([]uint32, len(spans))
	for i, s := range spans {
		out[i] = uint32(b.lines.Line(s.Start))
	}
	return out
}
