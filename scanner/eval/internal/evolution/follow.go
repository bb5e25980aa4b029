package evolution

import (
	"cmp"
	"context"
	"hash/maphash"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/excerpt"
	"github.com/git-provenance/git-provenance/scanner/git"
)

const (
	mostBytes   = 128 << 10 // of a file
	mostTokens  = 1 << 11   // of a function
	gramLength  = 5         // tokens of the stretches by which a moved piece is recognised
	sameNameMin = 0.3       // least agreement from one commit to the next, with the same path and name
	movedMin    = 0.5       // with another path or name
	leastHost   = 2 << 10   // bytes of a file that receives functions
	mostHost    = 10 << 10
)

// piece is a function or a whole file in one commit.
type piece struct {
	code     *excerpt.Code
	from, to int
	path     string
	name     string   // "" for a file
	words    []uint64 // digests of the texts of its tokens
}

// Pair is a piece in the first and in the last commit.
type Pair struct {
	Row
	Old, New *piece
	Agree    float64
}

// commit has the pieces of one commit of a repository.
type commit struct{ functions, files []*piece }

// reader reads commits of one repository.
type reader struct {
	repo *git.Repo
	lang string
	tz   *lang.Tokenizer
	seed maphash.Seed
	was  map[git.File][]*piece // of the commit before: functions, then the file itself
}

// commitAt reads the files of the row's language in one commit.
func (r *reader) commitAt(ctx context.Context, rev string) (commit, error) {
	files, err := r.repo.FilesAt(ctx, rev, "", nil)
	if err != nil {
		return commit{}, err
	}
	var out commit
	is := make(map[git.File][]*piece)
	for _, f := range files {
		if skipped(f.Path) || !slices.Contains(extensions[r.lang], filepath.Ext(f.Path)) {
			continue
		}
		ps, ok := r.was[f]
		if !ok {
			ps = r.pieces(ctx, f)
		}
		is[f] = ps
		if n := len(ps); n > 0 {
			out.functions, out.files = append(out.functions, ps[:n-1]...), append(out.files, ps[n-1])
		}
	}
	r.was = is
	return out, ctx.Err()
}

// skipped reports whether a path is in a folder of third-party code or build output.
func skipped(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "vendor", "node_modules", "third_party", "dist", "build", "_vendor", "extern", "deps":
			return true
		}
	}
	return false
}

// extensions are the extensions of the languages.
var extensions = map[string][]string{"go": {".go"}, "java": {".java"}, "js": {".js", ".mjs", ".cjs"}, "ts": {".ts"},
	"py": {".py"}, "c": {".c", ".h"}, "cpp": {".cc", ".cpp", ".h", ".hpp"},
	"rust": {".rs"}, "csharp": {".cs"}, "php": {".php"}, "kotlin": {".kt"}, "ruby": {".rb"}, "swift": {".swift"}, "scala": {".scala"}}

// pieces reads a file. It returns none if the file is too large or makes no sense.
func (r *reader) pieces(ctx context.Context, f git.File) []*piece {
	src, err := r.repo.Blob(ctx, f.Blob, mostBytes)
	if err != nil {
		return nil
	}
	c := excerpt.Read(r.tz, corpus.File{Lang: r.lang, Path: f.Path, Rel: f.Path, Hash: f.Blob.String()}, src)
	if c == nil {
		return nil
	}
	var ps []*piece
	for _, fn := range c.Functions(mostTokens) {
		ps = append(ps, r.piece(c, fn[0], fn[1], f.Path, nameOf(c, fn[0], fn[1])))
	}
	return append(ps, r.piece(c, 0, len(c.Toks), f.Path, ""))
}

func (r *reader) piece(c *excerpt.Code, from, to int, path, name string) *piece {
	p := &piece{code: c, from: from, to: to, path: path, name: name, words: make([]uint64, to-from)}
	for i := range p.words {
		p.words[i] = maphash.String(r.seed, c.Text(from+i))
	}
	return p
}

// nameOf returns the first name of a function's head that is followed by a bracket.
func nameOf(c *excerpt.Code, from, to int) string {
	for i := from; i+1 < to; i++ {
		if c.Toks[i].Class == lang.Identifier && c.Text(i+1) == "(" {
			return c.Text(i)
		}
	}
	return "?"
}

// step maps each piece of old to its successor in new, one to one.
func step(old, new []*piece) map[*piece]*piece {
	out, taken := make(map[*piece]*piece), make(map[*piece]bool)
	join := func(a, b *piece) { out[a], taken[b] = b, true }
	same := make(map[*piece]bool)
	for _, p := range new {
		same[p] = true
	}
	for _, p := range old {
		if same[p] { // of an unchanged blob
			join(p, p)
		}
	}
	type key struct{ path, name string }
	by := make(map[key][]*piece)
	for _, p := range new {
		if !taken[p] {
			by[key{p.path, p.name}] = append(by[key{p.path, p.name}], p)
		}
	}
	for _, p := range old {
		if out[p] != nil {
			continue
		}
		if q, a := nearest(p, by[key{p.path, p.name}], taken); a >= sameNameMin {
			join(p, q)
		}
	}
	moved(old, new, out, taken, join)
	return out
}

// nearest returns the free piece that agrees most.
func nearest(p *piece, among []*piece, taken map[*piece]bool) (best *piece, most float64) {
	for _, q := range among {
		if taken[q] {
			continue
		}
		if a := agreement(p.words, q.words); a > most {
			best, most = q, a
		}
	}
	return best, most
}

// moved joins pieces with another path or name, the most alike first.
func moved(old, new []*piece, out map[*piece]*piece, taken map[*piece]bool, join func(a, b *piece)) {
	has := make(map[uint64][]int)
	for i, q := range new {
		if !taken[q] {
			for _, g := range grams(q.words) {
				has[g] = append(has[g], i)
			}
		}
	}
	type couple struct {
		a, b *piece
		like float64
	}
	var all []couple
	for _, p := range old {
		if out[p] != nil {
			continue
		}
		gs := grams(p.words)
		shared := make(map[int]int)
		for _, g := range gs {
			if at := has[g]; len(at) <= 20 {
				for _, i := range at {
					shared[i]++
				}
			}
		}
		for _, i := range slices.Sorted(maps.Keys(shared)) {
			if 4*shared[i] < len(gs) {
				continue
			}
			if a := agreement(p.words, new[i].words); a >= movedMin {
				all = append(all, couple{p, new[i], a})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b couple) int { return cmp.Compare(b.like, a.like) })
	for _, c := range all {
		if out[c.a] == nil && !taken[c.b] {
			join(c.a, c.b)
		}
	}
}

// grams returns the distinct stretches of a piece.
func grams(words []uint64) []uint64 {
	gs := fingerprint.KGrams(nil, words, gramLength)
	slices.Sort(gs)
	return slices.Compact(gs)
}

// hosts reads the files of some repositories that can receive functions, by language.
func (o options) hosts(ctx context.Context, rows []Row) (map[string][]*excerpt.Code, error) {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	out := map[string][]*excerpt.Code{}
	for _, row := range rows {
		repo, err := git.Open(ctx, o.repository(row), git.Options{})
		if err != nil {
			return nil, err
		}
		r := &reader{repo: repo, lang: row.Lang, tz: tz, seed: maphash.MakeSeed()}
		c, err := r.commitAt(ctx, row.Commits[0])
		repo.Close()
		if err != nil {
			return nil, err
		}
		for _, p := range c.files {
			if n := len(p.code.Src); n >= leastHost && n <= mostHost {
				out[row.Lang] = append(out[row.Lang], p.code)
			}
		}
	}
	return out, nil
}

// Follow follows the functions and the files of a row through its commits.
func Follow(ctx context.Context, row Row, dir string, tz *lang.Tokenizer) (functions, files []Pair, err error) {
	repo, err := git.Open(ctx, dir, git.Options{})
	if err != nil {
		return nil, nil, err
	}
	defer repo.Close()
	r := &reader{repo: repo, lang: row.Lang, tz: tz, seed: maphash.MakeSeed()}
	first, err := r.commitAt(ctx, row.Commits[0])
	if err != nil {
		return nil, nil, err
	}
	fns, whole := trails(first.functions), trails(first.files)
	at := first
	for _, rev := range row.Commits[1:] {
		next, err := r.commitAt(ctx, rev)
		if err != nil {
			return nil, nil, err
		}
		fns, whole = along(fns, step(at.functions, next.functions)), along(whole, step(at.files, next.files))
		at = next
	}
	return row.pairs(fns), row.pairs(whole), nil
}

// trail is a piece of the first commit and its current successor.
type trail struct{ old, now *piece }

func trails(ps []*piece) []trail {
	out := make([]trail, len(ps))
	for i, p := range ps {
		out[i] = trail{p, p}
	}
	return out
}

func along(ts []trail, to map[*piece]*piece) []trail {
	var out []trail
	for _, t := range ts {
		if q := to[t.now]; q != nil {
			out = append(out, trail{t.old, q})
		}
	}
	return out
}

func (row Row) pairs(ts []trail) []Pair {
	out := make([]Pair, len(ts))
	for i, t := range ts {
		out[i] = Pair{Row: row, Old: t.old, New: t.now, Agree: agreement(t.old.words, t.now.words)}
	}
	return out
}
