package past

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/trace"
)

// Contents is the history of a repository, in which regions are looked for by reading
// every content once: no file is followed, so that none is lost from sight. It has
// what HEAD and the tags of versions lead to.
type Contents struct {
	repo    *git.Repo
	line    *git.Line
	clocks  *Clocks
	tags    []git.Tag
	shallow bool
	target  bool    // it is that of the target
	least   float64 // share of a region that is asked for
}

const (
	// maxContents bounds the contents that are read of one repository, and
	// maxPlaces their places. moby has 190,000 contents of Go in 51,000 commits.
	maxContents = 400_000
	maxPlaces   = 4_000_000
	// maxContent bounds one of them.
	maxContent = 4 << 20
	// atATime is how many contents are read before those regions are dropped that
	// were found.
	atATime = 512
)

// OfTarget reads the commits of the target, which HEAD or another revision ends.
func OfTarget(ctx context.Context, repo *git.Repo, head string, now time.Time) (*Contents, error) {
	p := &Contents{repo: repo, shallow: repo.Shallow(), target: true, least: halfOf}
	var err error
	if p.line, err = repo.Line(ctx, head); err != nil {
		return nil, err
	}
	return p, p.order(now)
}

// OfOrigin reads the commits of an origin's repository. release tells which tags count.
func OfOrigin(ctx context.Context, repo *git.Repo, release func(tag string) bool, now time.Time) (*Contents, error) {
	tags, _, err := repo.Tags(ctx)
	if err != nil {
		return nil, err
	}
	p := &Contents{repo: repo, shallow: repo.Shallow(), least: halfOf}
	var heads []git.Hash
	for _, t := range tags {
		if release(t.Name) {
			p.tags = append(p.tags, t)
			heads = append(heads, t.Commit)
		}
	}
	if p.line, err = repo.Released(ctx, heads); err != nil {
		return nil, err
	}
	return p, p.order(now)
}

// order bounds the times of the commits.
func (p *Contents) order(now time.Time) error {
	if p.line.Len() == 0 {
		return errors.New("it has no commits")
	}
	p.clocks = NewClocks(now)
	p.clocks.read = p.line.Commit
	for i := range p.line.Len() {
		p.clocks.Add(p.line.Brief(i), p.line.Boundary(i))
	}
	p.clocks.bound()
	return nil
}

// Has tells whether a commit is part of the history.
func (p *Contents) Has(commit string) bool {
	_, ok := p.line.Find(commit)
	return ok
}

// Piece is a region as it is looked for in a history: by its short runs of tokens
// with their names, and with the names that a copy has in their place.
type Piece struct {
	sig    trace.Signature
	family string
	ext    string // of the file it is from
	lang   *lang.Language
	until  *time.Time // only commits that were made by then tell of it; nil: all do
}

// NewPiece makes one of the wanted tokens of a file.
func NewPiece(name string, l *lang.Language, side match.Side, wanted []bool, renamed map[string]string) *Piece {
	p := &Piece{family: l.Family, ext: path.Ext(name), lang: l}
	for at := 0; at < len(wanted); {
		if !wanted[at] {
			at++
			continue
		}
		end := at
		for end < len(wanted) && wanted[end] {
			end++
		}
		p.add(side.Text, side.Tokens[at:end], renamed)
		at = end
	}
	return p
}

// add takes a run of tokens. One that is too short to be recognised counts for
// nothing.
func (p *Piece) add(text []byte, toks []lang.Token, renamed map[string]string) {
	if len(toks) < trace.Gram {
		return
	}
	here := trace.SideOf(text, toks)
	there, changed := trace.Side{Contents: slices.Clone(here.Contents), Names: slices.Clone(here.Names)}, false
	for i, t := range toks {
		if to, ok := renamed[string(text[t.Start:t.End])]; ok && t.Class == lang.Identifier {
			there.Contents[i], there.Names[i] = trace.Content(t, []byte(to)), trace.Name([]byte(to))
			changed = true
		}
	}
	sides := []trace.Side{here, there}
	if !changed {
		sides = sides[:1]
	}
	p.sig.Add(sides...)
}

// First is what a history tells of a piece.
type First struct {
	Interval *finding.Interval // nil: no content has it
	Commit   *finding.Commit   // that has it first; Path is that of the file
	Tag      string            // of the first version that has the commit, "" if none has
	Root     bool              // the history begins with the commit
	Unread   bool              // not every content before it could be read

	order int // of the commit in the history
}

// found is where a piece was met first: half of it, most of it, most of it outside
// of what a package manager keeps, nearly all of it.
type found struct {
	half, most, own int32 // commits; -1: none
	bulk            int32 // four fifths of it
	path            string
	read            bool // all contents before most could be read
}

// halfOf is the share of a region from which on its history has begun. A region that
// grew on both sides has an order only if one had most of it before the other had half.
const halfOf = 0.5

// bulkOf is the share of a region with which an origin can speak for all of it.
const bulkOf = finding.SameRegion

// arrival is where a content came in.
type arrival struct {
	commit int32
	blob   git.Hash
	kept   bool // by a package manager
	name   string
}

// Find looks for pieces. They have to be all of one family of languages.
func (p *Contents) Find(ctx context.Context, pieces []*Piece) ([]First, error) {
	arrivals, whole, err := p.arrivals(ctx, pieces)
	if err != nil {
		return nil, err
	}
	s := &search{past: p, pieces: pieces, at: make([]found, len(pieces)), whole: whole}
	for i := range s.at {
		s.at[i] = found{half: -1, most: -1, own: -1, bulk: -1, read: whole}
	}
	if err := s.run(ctx, arrivals); err != nil {
		return nil, err
	}
	out := make([]First, len(pieces))
	for i, f := range s.at {
		out[i] = p.first(f)
	}
	p.name(out)
	return out, nil
}

// arrivals lists the contents that can have one of the pieces, by the commits that
// brought them; each twice at most, kept and not kept.
func (p *Contents) arrivals(ctx context.Context, pieces []*Piece) ([]arrival, bool, error) {
	ways := waysOf(pieces)
	type key struct {
		blob git.Hash
		kept bool
	}
	seen := map[key]bool{}
	var out []arrival
	places := 0
	until := latest(pieces)
	whole, err := p.line.Contents(ctx, func(commit int, name string, blob git.Hash) error {
		if until != nil && p.clocks.saysAfter(commit, *until) {
			return nil
		}
		if places++; places > maxPlaces {
			return fmt.Errorf("its history has more than %d files and versions of files", maxPlaces)
		}
		k := key{blob, lang.Vendored(name)}
		if !ways.wants(name) || seen[k] {
			return nil
		}
		if seen[k] = true; len(seen) > maxContents {
			return fmt.Errorf("its history has more than %d contents that would have to be read", maxContents)
		}
		out = append(out, arrival{int32(commit), blob, k.kept, name})
		return nil
	})
	return out, whole, err
}

// ways tells by their names which files can have a piece.
type ways struct {
	families map[string]bool
	exts     map[string]bool
	known    map[string]bool // by extension, or name where there is none
}

func waysOf(pieces []*Piece) *ways {
	w := &ways{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, p := range pieces {
		w.families[p.family] = true
		w.exts[p.ext] = true
	}
	return w
}

// anyText stands for a content when only the name counts.
var anyText = []byte("text\n")

func (w *ways) wants(name string) bool {
	ext := path.Ext(name)
	if ext != "" && w.exts[ext] {
		return true
	}
	key := cmp.Or(ext, path.Base(name))
	wants, ok := w.known[key]
	if !ok {
		wants = w.families[lang.Detect(name, anyText).Language.Family]
		w.known[key] = wants
	}
	return wants
}

// search goes through contents in the order in which they came in.
type search struct {
	past   *Contents
	pieces []*Piece
	at     []found
	whole  bool
}

// run reads contents, a batch at a time, until every piece was met.
func (s *search) run(ctx context.Context, arrivals []arrival) error {
	for len(arrivals) > 0 {
		open := s.open()
		if len(open) == 0 {
			return nil
		}
		n := min(atATime, len(arrivals))
		if err := s.read(ctx, arrivals[:n], open); err != nil {
			return err
		}
		arrivals = arrivals[n:]
	}
	return nil
}

// open lists the pieces of which something was not met yet.
func (s *search) open() (out []int) {
	for i, f := range s.at {
		if f.most < 0 || !s.past.target && (f.own < 0 || f.bulk < 0) {
			out = append(out, i)
		}
	}
	return out
}

// read looks for pieces in some contents.
func (s *search) read(ctx context.Context, arrivals []arrival, open []int) error {
	shares := make([][]float64, len(arrivals))
	eyes := pool.Pool[*eye]{Workers: runtime.GOMAXPROCS(0), New: func() *eye { return s.eye(open) }}
	err := eyes.Each(ctx, len(arrivals), func(e *eye, i int) (err error) {
		shares[i], err = e.look(ctx, arrivals[i])
		return err
	})
	if err != nil {
		return err
	}
	for i, a := range arrivals {
		s.note(a, shares[i], open)
	}
	return nil
}

// note takes down what one content has; nil says that it could not be read.
func (s *search) note(a arrival, shares []float64, open []int) {
	for k, i := range open {
		f := &s.at[i]
		if shares != nil && shares[k] >= s.past.least && !s.past.inTime(a.commit, s.pieces[i]) {
			continue
		}
		if shares == nil {
			f.read = f.read && f.most >= 0
			continue
		}
		meet := func(at *int32, least float64) bool {
			first := *at < 0 && shares[k] >= least
			if first {
				*at = a.commit
			}
			return first
		}
		meet(&f.half, halfOf)
		meet(&f.bulk, bulkOf)
		if meet(&f.most, trace.Most) {
			f.path = a.name
		}
		if !a.kept {
			meet(&f.own, trace.Most)
		}
	}
}

// eye looks for some pieces. It owns the buffers of one goroutine.
type eye struct {
	past   *Contents
	open   []int
	pieces []*Piece
	known  *trace.Set
	tz     *lang.Tokenizer
	hashes []uint64
	none   []float64 // of each piece
}

func (s *search) eye(open []int) *eye {
	e := &eye{past: s.past, open: open, tz: lang.NewTokenizer(lang.Limits{}), none: make([]float64, len(open))}
	var sigs []*trace.Signature
	for _, i := range open {
		e.pieces = append(e.pieces, s.pieces[i])
		sigs = append(sigs, &s.pieces[i].sig)
	}
	e.known = trace.NewSet(sigs)
	return e
}

// Close gives back what the parsers hold.
func (e *eye) Close() { e.tz.Close() }

// look tells how much of each piece a content has, nothing if it cannot be read.
func (e *eye) look(ctx context.Context, a arrival) ([]float64, error) {
	var shares []float64
	err := e.past.repo.WithBlob(ctx, a.blob, maxContent, func(text []byte) error {
		shares = e.shares(a.name, text)
		return nil
	})
	return shares, absent(err)
}

// shares tells how much of each piece a text has, nothing if it cannot be read.
func (e *eye) shares(name string, text []byte) []float64 {
	if !e.known.Possible(text, e.past.least) {
		return e.none
	}
	l := lang.Detect(name, text).Language
	if !slices.ContainsFunc(e.pieces, func(p *Piece) bool { return p.family == l.Family }) {
		l = e.pieces[0].lang
	}
	toks, _, _, err := e.tz.TokenizeOrWords(l, text)
	if err != nil {
		return nil
	}
	e.hashes = trace.Contents(e.hashes[:0], text, toks.Tokens)
	return e.known.Shares(e.hashes)
}

// first makes an interval of where a piece was met, in the origin's repository
// outside of what a package manager keeps.
func (p *Contents) first(f found) First {
	at := f.own
	if p.target {
		at = f.most
	}
	if at < 0 {
		return First{Unread: !f.read}
	}
	in := p.clocks.interval(at, finding.FromHistory)
	commit := p.clocks.at(at)
	out := First{Interval: in, Commit: CommitOf(&commit.Commit), order: int(at), Root: len(commit.parents) == 0, Unread: !f.read}
	out.Commit.Path = f.path
	in.Half = p.moment(f.half)
	switch {
	case p.target, f.bulk == f.most:
	case f.bulk < 0:
		in.Bulk = &finding.Point{}
	default:
		in.Bulk = p.moment(f.bulk)
	}
	switch {
	case p.shallow:
		in.Absent, in.Half, in.Note = nil, &finding.Point{}, "the clone is shallow: the region is as old as this commit or older"
		return out
	case !f.read:
		in.Absent, in.Half, in.Note = nil, &finding.Point{}, join(in.Note, "not every older content can be read")
		return out
	case f.most != at:
		in.Note = join(in.Note, "a package manager kept it before")
		in.Absent = nil
		if c := p.clocks.commits[f.most]; len(c.parents) > 0 {
			in.Absent = p.clocks.made(c.parents[0])
		}
	}
	if t := p.written(f.most); !t.IsZero() {
		in.Written = finding.UTC(t)
	}
	return out
}

// moment names a commit with the time at which it says it was written, if the
// clocks around it agree.
func (p *Contents) moment(i int32) *finding.Point {
	m := &finding.Point{Commit: p.clocks.at(i).Name}
	if t := p.written(i); !t.IsZero() {
		m.Time = finding.UTC(t)
	}
	return m
}

// written is when a commit says it was written, if the clocks around it agree.
func (p *Contents) written(i int32) time.Time {
	c := p.clocks.at(i)
	if !p.clocks.trusted(c) {
		return time.Time{}
	}
	return earlier(c.CommitTime, c.AuthorTime)
}

// name finds the first version that has each commit, by its tags.
func (p *Contents) name(firsts []First) {
	var commits []int
	for _, f := range firsts {
		if f.Interval != nil {
			commits = append(commits, f.order)
		}
	}
	slices.Sort(commits)
	tags := map[int]string{}
	for _, c := range slices.Compact(commits) {
		tags[c] = p.firstTag(c)
	}
	for i := range firsts {
		if firsts[i].Interval != nil {
			firsts[i].Tag = tags[firsts[i].order]
		}
	}
}

// firstTag is the tag of the earliest commit that is one or descends from it.
func (p *Contents) firstTag(commit int) string {
	has := make([]bool, len(p.clocks.commits))
	has[commit] = true
	for i := commit + 1; i < len(has); i++ {
		has[i] = slices.ContainsFunc(p.clocks.commits[i].parents, func(parent int32) bool { return has[parent] })
	}
	best, tag := -1, ""
	for _, t := range p.tags {
		i, ok := p.clocks.index[t.Commit]
		if !ok || !has[i] {
			continue
		}
		if best < 0 || int(i) < best || int(i) == best && len(t.Name) < len(tag) {
			best, tag = int(i), t.Name
		}
	}
	return strings.ToValidUTF8(tag, "\uFFFD")
}

// Date gives a finding the date by which the target's history has it, if that is
// earlier than what following its file told. With told, the finding keeps the
// commit of the region's story; only dates are compared with it.
func (p *Contents) Date(f *finding.Finding, first First, told bool) {
	in := first.Interval
	if in == nil {
		return
	}
	if i, ok := p.line.Find(f.Entered()); told || ok && i <= first.order {
		if f.Here == nil {
			f.Here = &finding.Interval{From: finding.FromHistory}
		} else {
			f.Here = new(*f.Here)
		}
		f.Here.Half = in.Half
		return
	}
	f.Here, f.Introduced = in, first.Commit
	if f.Introduced.Path == f.Path {
		f.Introduced.Path = ""
	}
}
