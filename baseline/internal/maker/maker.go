// Package maker makes a document of a content: its tokens, its fingerprints, and the licence that its head states. It knows no package
// and no baseline.
package maker

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/pairs"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/baseline/tables"
	"github.com/git-provenance/git-provenance/lang"
)

// Maker turns contents into documents: it detects the language, tokenises, winnows and compresses. Not safe for concurrent use.
type Maker struct {
	tz       *lang.Tokenizer
	enc      *store.Encoder
	params   fingerprint.Params
	key      fingerprint.Key
	values   []uint64
	grams    []uint64
	fps      []fingerprint.Fingerprint
	pairs    pairs.Reader
	comments comments.Reader
	tables   tables.Reader
	heads    license.Heads
}

// New returns a maker of documents for baselines with these parameters.
func New(lim lang.Limits, p fingerprint.Params, key fingerprint.Key) (*Maker, error) {
	enc, err := store.NewEncoder()
	return &Maker{tz: lang.NewTokenizer(lim), enc: enc, params: p, key: key}, err
}

// Close releases the parsers.
func (m *Maker) Close() { m.tz.Close() }

// Document is a content that is ready for a segment.
type Document struct {
	store.Entry
	Prints []fingerprint.Fingerprint
}

// Outcome says why a content is left out, or only indexed in part.
type Outcome struct {
	Reason lang.Reason // "" if it is complete
	Detail string
}

// Make returns nil and the reason if the content of a file is left out. It returns a document with a reason if the content was not
// read by the rules of its language.
func (m *Maker) Make(h store.Hash, name string, content []byte) (*Document, Outcome) {
	s, text, l, reason, detail := Tokenize(m.tz, name, content, m.params.K)
	if l == nil {
		return nil, Outcome{reason, detail}
	}
	return m.document(h, l, text, s), Outcome{reason, detail}
}

// Again makes the document of a text that was stored under a language. It returns nil if the text now has too few tokens for a
// k-gram.
func (m *Maker) Again(h store.Hash, l *lang.Language, text []byte) *Document {
	s, l, _, err := m.tz.TokenizeOrWords(l, text)
	if err != nil || len(s.Tokens) < m.params.K {
		return nil
	}
	return m.document(h, l, text, s)
}

// TooShort is the reason for a content with fewer tokens than a k-gram has.
const TooShort lang.Reason = "too-short"

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
		return s, text, nil, TooShort, fmt.Sprintf("%d tokens, a k-gram has %d", n, k)
	}
	if limit != nil {
		return s, text, l, limit.Reason, limit.Detail
	}
	return s, text, l, det.Note, det.Reading()
}

// document makes the fingerprints and the entry of a text and its tokens.
func (m *Maker) document(h store.Hash, l *lang.Language, text []byte, s lang.Stream) *Document {
	m.values = Values(m.values[:0], l, s.Tokens)
	m.grams = fingerprint.KGrams(m.grams[:0], m.values, m.params.K)
	m.key.Order(m.grams)
	m.fps = m.pairs.Prints(fingerprint.WinnowRobust(m.fps[:0], m.grams, m.params.W), m.key, pairs.Text{Language: l, Content: text, Tokens: s.Tokens})
	m.comments.Read(l, text, s.Tokens)
	m.fps = m.comments.Prints(m.fps, m.key, l.Family, len(s.Tokens))
	m.tables.Read(l, text, s.Tokens)
	m.fps = m.tables.Prints(m.fps, m.key, l.Family)
	b := &Document{Prints: slices.Clone(m.fps)} // clipped to its length: thousands of them wait for their segment
	head := m.heads.Read(text)
	b.Entry = m.enc.Entry(store.Content{Hash: h, Language: l.Name, License: head.License, Text: text, Tokens: s.Tokens, Lines: lang.Lines(text)})
	b.LicenseAt = store.LicenseAt{LicenseLine: uint32(head.Line), LicenseTag: head.Tag}
	return b
}

// Compare orders documents by hash. For equal contents, a language with a grammar comes first.
func Compare(x, y *store.Entry) int {
	words := func(e *store.Entry) int {
		if e.Language == lang.Words().Name {
			return 1
		}
		return 0
	}
	return cmp.Or(bytes.Compare(x.Hash[:], y.Hash[:]), cmp.Compare(words(x), words(y)))
}

// Values appends the fingerprint value of each token.
func Values(dst []uint64, l *lang.Language, toks []lang.Token) []uint64 {
	salt := fingerprint.FamilySalt(l.Family)
	dst = slices.Grow(dst, len(toks))
	for _, t := range toks {
		dst = append(dst, fingerprint.Value(salt, t.Kind))
	}
	return dst
}
