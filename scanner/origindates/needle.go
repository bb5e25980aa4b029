package origindates

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// gram is the length of the k-grams that are searched for, as in baselines.
const gram = 20

// maxSeeds limits the seeds of one file for one region.
const maxSeeds = 1 << 16

// needle is a region to be searched for in the versions of a package: the tokens of an origin's file that the target shares.
type needle struct {
	id       string // hash of the text of its tokens, and of the package
	places   []place
	side     match.Side // the origin's file
	comments bool       // its tokens are the words of comments
	path     string
	lang     *lang.Language
	wanted   []bool // tokens of the file that are searched for
	total    int    // number of wanted tokens

	hi      string    // package URL of the oldest version known to have it
	hiTime  time.Time // of its release, if known
	seen    []sighting
	done    bool   // its result is final: no later run can improve it
	why     string // why it has no lower bound, if one is missing
	settled *finding.Interval
	renamed map[string]string // the target's names
	past    *byRepository     // result from the repository of the package; nil: none
}

// sighting is the result of searching one version for a needle.
type sighting = versions.Sighting

// file is the file of an origin.
type file struct {
	side match.Side
	lang *lang.Language
}

// newNeedle marks the tokens of an origin in its file; nil if there are none. Runs are known for the first origin, lines for the
// others.
func newNeedle(key string, f *finding.Finding, origin int, src file) *needle {
	o := f.Origins[origin]
	n := &needle{side: src.side, path: o.Path, lang: src.lang, comments: f.Documentation && src.lang != lang.Words()}
	if n.comments {
		n.side = src.comments()
	}
	n.wanted = make([]bool, len(n.side.Tokens))
	lines := finding.LineStarts(src.side.Text)
	if origin == 0 {
		for _, r := range f.Runs {
			n.mark(finding.Offset(src.side.Text, lines, r.OriginStartLine, r.OriginStartColumn), finding.Offset(src.side.Text, lines, r.OriginEndLine, r.OriginEndColumn))
		}
	} else {
		n.mark(finding.Offset(src.side.Text, lines, o.StartLine, 1), finding.Offset(src.side.Text, lines, o.EndLine+1, 1))
	}
	if n.total == 0 {
		return nil
	}
	h := sha256.New()
	h.Write([]byte("dates3\x00" + key + "\x00" + src.lang.Name))
	if n.comments {
		h.Write([]byte("\x00comments"))
	}
	for i, t := range n.side.Tokens {
		if n.wanted[i] {
			h.Write([]byte{0})
			h.Write(n.side.Text[t.Start:t.End])
		}
	}
	n.id = hex.EncodeToString(h.Sum(nil))
	return n
}

// mark marks the tokens between two offsets as wanted, except import clauses.
func (n *needle) mark(from, to int) {
	for i, t := range n.side.Tokens {
		if int(t.Start) >= from && int(t.End) <= to && t.Flags&lang.FlagImport == 0 && !n.wanted[i] {
			n.wanted[i] = true
			n.total++
		}
	}
}

// share returns the share of the needle's tokens that a document has.
func (n *needle) share(doc match.Side, seeds []match.Seed) float64 {
	p := match.Defaults(gram)
	runs, _ := match.Runs(n.side, doc, seeds, p)
	found := 0
	for _, m := range match.Arrange(n.side, doc, runs, p) {
		if tokens, names, same := n.count(doc, m); float64(same) >= Named*float64(names) {
			found += tokens
		}
	}
	return float64(found) / float64(n.total)
}

// count returns how many wanted tokens a match has, how many of them are names, and how many of the names are unchanged.
func (n *needle) count(doc match.Side, m match.Match) (tokens, names, same int) {
	for _, r := range m.Runs {
		for i := range r.Len {
			if !n.wanted[r.Target+i] {
				continue
			}
			tokens++
			a, b := n.side.Tokens[r.Target+i], doc.Tokens[r.Origin+i]
			if a.Class == lang.Identifier {
				names++
				if string(n.side.Text[a.Start:a.End]) == string(doc.Text[b.Start:b.End]) {
					same++
				}
			}
		}
	}
	return tokens, names, same
}

// signature returns the short runs of the needle's tokens, names and literals included, by which its pieces are found.
func (n *needle) signature() *trace.Signature {
	sig := &trace.Signature{Comments: n.comments}
	for at := 0; at < len(n.wanted); at++ {
		end := at
		for end < len(n.wanted) && n.wanted[end] {
			end++
		}
		if end > at {
			sig.Add(sig.Side(n.side.Text, n.side.Tokens[at:end]))
		}
		at = end
	}
	return sig
}

// tokensOf returns the language of the needle's tokens.
func (n *needle) tokensOf() *lang.Language {
	if n.comments {
		return lang.Words()
	}
	return n.lang
}

// comments returns the words of a file's comments.
func (f file) comments() match.Side {
	return match.Side{Text: f.side.Text, Tokens: lang.CommentWords(f.side.Text, f.side.Tokens), Prose: true}
}

// reader tokenises files. It owns the buffers of one goroutine.
type reader struct {
	tz     *lang.Tokenizer
	values []uint64
	grams  []uint64
}

func newReader() *reader { return &reader{tz: lang.NewTokenizer(lang.Limits{})} }

// read tokenises a file.
func (r *reader) read(l *lang.Language, data []byte) (file, error) {
	s, l, _, err := r.tz.TokenizeOrWords(l, data)
	if err != nil {
		return file{}, err
	}
	return file{match.Side{Text: data, Tokens: slices.Clone(s.Tokens), Prose: l == lang.Words()}, l}, nil
}

// hit is a position in a needle.
type hit struct {
	needle int
	at     uint32
}

// haystack searches versions for several needles.
type haystack struct {
	r        *reader
	needles  []*needle
	families map[string]bool // nil means all
	grams    map[uint64][]hit
	pieces   *trace.Set
	comments bool // there are needles in comments
}

// maxHits limits the positions of one k-gram within needles. A k-gram with more repeats itself.
const maxHits = 64

func newHaystack(r *reader, needles []*needle) *haystack {
	h := &haystack{r: r, needles: needles, families: map[string]bool{}, grams: map[uint64][]hit{}}
	var sigs []*trace.Signature
	for i, n := range needles {
		sigs = append(sigs, n.signature())
		h.families[n.lang.Family] = true
		h.comments = h.comments || n.comments
		for at, g := range r.hashes(n.tokensOf(), n.side.Tokens) {
			if n.wanted[at] && len(h.grams[g]) < maxHits {
				h.grams[g] = append(h.grams[g], hit{i, uint32(at)})
			}
		}
	}
	h.pieces = trace.NewSet(sigs)
	return h
}

func (r *reader) hashes(l *lang.Language, toks []lang.Token) []uint64 {
	r.values = baseline.Values(r.values[:0], l, toks)
	r.grams = fingerprint.KGrams(r.grams[:0], r.values, gram)
	return r.grams
}

// errFound ends a walk when all needles are found.
var errFound = errors.New("found")

// amount says how much of a needle a version has.
type amount uint8

const (
	little   amount = iota
	inPieces        // part of it, perhaps in another form
	most
)

// search walks over a version and returns how much of each needle it has.
func (h *haystack) search(ctx context.Context, walk walker) ([]amount, error) {
	has, left := make([]amount, len(h.needles)), len(h.needles)
	err := walk(ctx, h, func(f file) error {
		left -= h.compare(f.lang, f.side, false, has)
		if h.comments && f.lang != lang.Words() {
			left -= h.compare(lang.Words(), f.comments(), true, has)
		}
		if left == 0 {
			return errFound
		}
		for i, share := range h.pieces.Shares(f.side.Text, f.side.Tokens) {
			if share >= trace.Part {
				has[i] = max(has[i], inPieces)
			}
		}
		return ctx.Err()
	})
	if errors.Is(err, errFound) {
		err = nil
	}
	return has, err
}

// compare searches the code or the comments of a file. It returns how many needles were found.
func (h *haystack) compare(l *lang.Language, side match.Side, comments bool, has []amount) (found int) {
	for i, s := range h.seeds(l, side.Tokens, comments, has) {
		switch share := h.needles[i].share(side, s); {
		case share >= Enough:
			has[i] = most
			found++
		case share >= trace.Part:
			has[i] = inPieces
		}
	}
	return found
}

// seeds returns the k-grams of the needles not found yet that the code or the comments of a file have.
func (h *haystack) seeds(l *lang.Language, toks []lang.Token, comments bool, has []amount) map[int][]match.Seed {
	seeds := make(map[int][]match.Seed)
	for at, g := range h.r.hashes(l, toks) {
		for _, x := range h.grams[g] {
			if h.needles[x.needle].comments == comments && has[x.needle] < most && len(seeds[x.needle]) < maxSeeds {
				seeds[x.needle] = append(seeds[x.needle], match.Seed{Target: x.at, Origin: uint32(at)})
			}
		}
	}
	return seeds
}

// walker calls a function for the files of a version that can have a needle.
type walker func(ctx context.Context, h *haystack, fn func(file) error) error

// take reads one file of a version, and skips files that can have no needle.
func (h *haystack) take(path string, data []byte, fn func(file) error) error {
	det := lang.Detect(path, data)
	if det.Skip == lang.Binary || det.Skip == lang.NULBytes || !h.wants(det.Language) {
		return nil
	}
	f, err := h.r.read(det.Language, det.Text)
	if err != nil {
		return fmt.Errorf("read %q: %w", path, err)
	}
	return fn(f)
}

// wants reports whether a file of a language can have a needle. A file that no grammar can read is read as words.
func (h *haystack) wants(l *lang.Language) bool {
	return h.families == nil || h.families[l.Family] || h.families[lang.Words().Family]
}

// document reads a document of a baseline.
func document(b *baseline.Baseline, h store.Hash) (file, bool, error) {
	d, ok, err := b.Find(h)
	if err != nil || !ok {
		return file{}, false, err
	}
	l := lang.ByName(d.Language)
	if l == nil {
		return file{}, false, nil
	}
	toks, _, err := b.Tokens(d)
	if err != nil {
		return file{}, false, err
	}
	text, err := b.Text(d)
	return file{match.Side{Text: text, Tokens: toks, Prose: l == lang.Words()}, l}, err == nil, err
}
