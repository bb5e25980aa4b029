package refit

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/excerpt"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/measure"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// lot is a part of the corpus.
type lot struct {
	name  string
	kind  corpus.Kind
	third byte
	files int // unknown files of each language: as many as were scanned when findings were reviewed
}

// sets are the parts of the corpus that weights are fitted with. All share one baseline. Hosts of excerpts and unknown
// files come from different packages in each set, and so do the excerpts: see thirdOf.
var sets = []lot{
	{"train", corpus.Quick, 0, 1000},
	{"validate", corpus.Kind{As: map[string]string{"known": "known", "home": "known", "fresh": "unknown", "fresh-origin": "unknown"}, Dirs: []string{"", "eval", "fresh"}}, 1, 2000},
	{"sealed", corpus.Kind{As: map[string]string{"known": "known", "home": "known", "sealed": "unknown"}, Dirs: []string{"", "eval", "sealed"}}, 2, 1000},
}

// readingExcerpts is the number of excerpts of each language and size in all three sets.
const readingExcerpts = 30

// thirdOf returns the set of a known package's excerpts. A digest decides, so that nobody can choose.
func thirdOf(pkg string) byte { return sha256.Sum256([]byte(pkg))[0] % 3 }

// reading is a file of the evaluation with all its matches of the default length, alignments among them, however few bits they
// have.
type reading struct {
	Path    string    `json:"path"`
	Lang    string    `json:"lang"`
	Unknown bool      `json:"unknown,omitempty"` // unchanged; otherwise excerpts were pasted into it
	Pasted  []pasted  `json:"pasted,omitempty"`
	Matches []matched `json:"matches,omitempty"`
}

// pasted is an excerpt in a file.
type pasted struct {
	Kind   string `json:"kind"`
	Shape  string `json:"shape"`
	Tokens int    `json:"tokens"`
	First  int    `json:"first"`
	Last   int    `json:"last"`
}

// matched is one match of a file.
type matched struct {
	First    int     `json:"first"` // lines
	Last     int     `json:"last"`
	Document string  `json:"document"`
	From     int     `json:"from"` // tokens of the document
	To       int     `json:"to"`
	Tokens   int     `json:"tokens"` // of the file
	Baseline uint64  `json:"baseline"`
	Verdict  string  `json:"verdict,omitempty"`  // of a review, in an unknown file
	Bits     float64 `json:"bits"`               // by the weights of the scan, to check the readings
	Comments float64 `json:"comments,omitempty"` // of these, of comments beside the match
	Void     bool    `json:"void,omitempty"`     // a generator or a licence wrote it: it counts nothing
	Aligned  bool    `json:"aligned,omitempty"`
	Joined   bool    `json:"joined,omitempty"`
	Within   bool    `json:"within,omitempty"` // compared with one document, of Baseline tokens
	Fewer    float64 `json:"fewer,omitempty"`  // bits fewer than a match needs

	Readings score.Readings `json:"readings"`
	Kinds    [][]kindsAlike `json:"kinds"` // the tokens of Readings.Runs
}

// kindsAlike are tokens of a run with equal readings.
type kindsAlike struct {
	score.Token
	Count int
}

// Readings writes the readings of all matches of one set to a file.
func Readings(ctx context.Context, args []string, out io.Writer) error {
	var s corpus.Settings
	f := flag.NewFlagSet("readings", flag.ContinueOnError)
	s.Flags(f)
	set := f.String("set", "train", "train, validate or sealed")
	if err := f.Parse(args); err != nil {
		return err
	}
	i := slices.IndexFunc(sets, func(l lot) bool { return l.name == *set })
	if i < 0 {
		return fmt.Errorf("unknown set %q", *set)
	}
	part := sets[i]
	s.Mode, s.Count, s.Negatives = "full", cmp.Or(s.Count, readingExcerpts), cmp.Or(s.Negatives, part.files)
	if err := s.Complete(); err != nil {
		return err
	}
	c, rs, err := s.Load(part.kind)
	if err != nil {
		return err
	}
	labels, err := corpus.Labels(s.Table("reliability.tsv"), "known")
	if err != nil {
		return err
	}
	all, err := readAll(ctx, s, c, append(rs, labels...), part)
	if err != nil {
		return err
	}
	name := filepath.Join(s.Work, *set+".readings.gz")
	digest, err := writeReadings(name, all)
	if err != nil {
		return err
	}
	matches := 0
	for _, r := range all {
		matches += len(r.Matches)
	}
	_, err = fmt.Fprintf(out, "%s: %d files, %d matches\nsha256 %s\n", name, len(all), matches, digest)
	return err
}

// readAll scans the excerpts and the unknown files of a set.
func readAll(ctx context.Context, s corpus.Settings, c *corpus.Corpus, rs []corpus.Review, of lot) ([]reading, error) {
	b, err := c.Index(ctx, s.Work, baseline.Defaults, nil)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	dir, err := corpus.Emptied(s.Work, of.name+"-targets")
	if err != nil {
		return nil, err
	}
	ps, notes, err := excerpt.Positives(ctx, c, b, excerpt.Order{Dir: dir, Langs: s.Langs, Count: s.Count})
	if err != nil {
		return nil, err
	}
	corpus.Say("%s: %d excerpts %v", of.name, len(ps), notes)
	pasted, err := readPasted(ctx, b, dir, ps, of.third)
	if err != nil {
		return nil, err
	}
	corpus.Say("%s: %d files with excerpts read, %v CPU", of.name, len(pasted), corpus.CPU())
	if dir, err = corpus.Emptied(s.Work, of.name+"-unrelated"); err != nil {
		return nil, err
	}
	if _, err := c.Negatives(dir, s.Langs, s.Negatives); err != nil {
		return nil, err
	}
	by, err := weighedIn(ctx, b, dir)
	if err != nil {
		return nil, err
	}
	var unknown []reading
	for _, l := range s.Langs {
		for i, f := range c.Of(l, "unknown") {
			if i < s.Negatives {
				unknown = append(unknown, reading{Path: corpus.Flat(f), Lang: l, Unknown: true, Matches: matchesOf(by[corpus.Flat(f)], rs)})
			}
		}
	}
	corpus.Say("%s: %d unknown files read, %v CPU", of.name, len(unknown), corpus.CPU())
	return append(pasted, unknown...), nil
}

// readPasted scans the targets whose excerpts belong to a third, and removes all other targets.
func readPasted(ctx context.Context, b *baseline.Baseline, dir string, ps []excerpt.Positive, third byte) ([]reading, error) {
	at := make(map[string]int)
	var out []reading
	for _, p := range ps {
		if thirdOf(p.Origin) != third {
			if err := os.Remove(filepath.Join(dir, p.File)); err != nil && !os.IsNotExist(err) {
				return nil, err
			}
			continue
		}
		i, ok := at[p.File]
		if !ok {
			i = len(out)
			at[p.File] = i
			out = append(out, reading{Path: p.File, Lang: p.Lang})
		}
		out[i].Pasted = append(out[i].Pasted, pasted{p.Kind, p.Shape, p.Tokens, p.First, p.Last})
	}
	by, err := weighedIn(ctx, b, dir)
	for i := range out {
		r := &out[i]
		near := slices.DeleteFunc(by[r.Path], func(x examine.Weighed) bool {
			return !slices.ContainsFunc(r.Pasted, func(p pasted) bool { return x.Finding.StartLine <= p.Last && p.First <= x.Finding.EndLine })
		})
		r.Matches = matchesOf(near, nil)
	}
	return out, err
}

// weighedIn scans a directory, reports everything that is long enough, and returns the weighed matches by path.
func weighedIn(ctx context.Context, b *baseline.Baseline, dir string) (map[string][]examine.Weighed, error) {
	var mu sync.Mutex
	by := make(map[string][]examine.Weighed)
	o := measure.WithoutSource()
	o.MinScore = 0
	o.Weighed = func(x examine.Weighed) {
		mu.Lock()
		defer mu.Unlock()
		by[x.Finding.Path] = append(by[x.Finding.Path], x)
	}
	_, err := measure.Run(ctx, []*baseline.Baseline{b}, dir, o)
	return by, err
}

// matchesOf returns the matches of a file, by line.
func matchesOf(xs []examine.Weighed, rs []corpus.Review) []matched {
	var out []matched
	for _, x := range xs {
		m := matched{First: x.Finding.StartLine, Last: x.Finding.EndLine, Document: x.Document, From: x.From, To: x.To,
			Tokens: x.Tokens, Baseline: x.Baseline, Bits: x.Evidence.Bits, Readings: x.Readings, Comments: x.Evidence.Comments,
			Aligned: x.Evidence.Derived, Joined: x.Joined, Within: x.Within, Fewer: x.Discount}
		m.Void = m.Bits == 0 && m.evidence(standing).Bits > 0
		if rs != nil {
			m.Verdict = corpus.VerdictOn(rs, x.Finding)
		}
		m.pack()
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b matched) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last), cmp.Compare(a.Document, b.Document), cmp.Compare(a.From, b.From))
	})
	return out
}

// pack counts equal tokens of a run; unpack lists them again.
func (m *matched) pack() {
	m.Kinds = make([][]kindsAlike, len(m.Readings.Runs))
	runs := slices.Clone(m.Readings.Runs)
	for i := range runs {
		count := make(map[score.Token]int)
		for _, t := range runs[i].Tokens {
			count[t]++
		}
		for t, n := range count {
			m.Kinds[i] = append(m.Kinds[i], kindsAlike{t, n})
		}
		slices.SortFunc(m.Kinds[i], func(a, b kindsAlike) int {
			return cmp.Or(cmp.Compare(a.Before, b.Before), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Ngram, b.Ngram))
		})
		runs[i].Tokens = nil
	}
	m.Readings.Runs = runs
}

func (m *matched) unpack() {
	for i, ks := range m.Kinds {
		for _, k := range ks {
			for range k.Count {
				m.Readings.Runs[i].Tokens = append(m.Readings.Runs[i].Tokens, k.Token)
			}
		}
	}
	m.Kinds = nil
}

// writeReadings writes one line of JSON for each file, compressed, and returns the digest of the lines.
func writeReadings(name string, rs []reading) (digest string, err error) {
	f, err := os.Create(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, sum := gzip.NewWriter(f), sha256.New()
	e := json.NewEncoder(io.MultiWriter(z, sum))
	for _, r := range rs {
		if err := e.Encode(r); err != nil {
			return "", fmt.Errorf("write readings of %q: %w", r.Path, err)
		}
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), f.Sync()
}

// loadReadings reads the output of writeReadings, and returns the digest of its lines.
func loadReadings(name string) (rs []reading, digest string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, "", fmt.Errorf("readings %q: %w", name, err)
	}
	sum := sha256.New()
	d := json.NewDecoder(bufio.NewReader(io.TeeReader(z, sum)))
	for {
		var r reading
		if err := d.Decode(&r); err == io.EOF {
			break
		} else if err != nil {
			return nil, "", fmt.Errorf("readings %q: %w", name, err)
		}
		for i := range r.Matches {
			r.Matches[i].unpack()
		}
		rs = append(rs, r)
	}
	return rs, hex.EncodeToString(sum.Sum(nil)), nil
}

// Sum prints the bits of each finding in files, term by term.
func Sum(ctx context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("sum", flag.ContinueOnError)
	base := f.String("baseline", "", "compare with the baseline in directory `DIR`")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *base == "" || f.NArg() != 1 {
		return fmt.Errorf("usage: go run ./scanner/eval sum -baseline DIR PATH")
	}
	b, err := baseline.Open(ctx, *base)
	if err != nil {
		return err
	}
	defer b.Close()
	var xs []examine.Weighed
	o := measure.WithoutSource()
	o.Workers = 1
	o.Weighed = func(x examine.Weighed) {
		if !x.Evidence.Derived && !x.Joined { // others are more than one sum
			xs = append(xs, x)
		}
	}
	s, err := scanner.New([]*baseline.Baseline{b}, o)
	if err != nil {
		return err
	}
	if _, err := s.Tree(ctx, nil, f.Arg(0), nil); err != nil {
		return err
	}
	slices.SortStableFunc(xs, func(a, b examine.Weighed) int {
		return cmp.Or(cmp.Compare(a.Finding.Path, b.Finding.Path), cmp.Compare(a.Finding.StartLine, b.Finding.StartLine))
	})
	for _, x := range xs {
		if err := printSum(out, x); err != nil {
			return err
		}
	}
	return nil
}

// printSum prints one finding as a sum.
func printSum(out io.Writer, x examine.Weighed) error {
	w, fd := score.DefaultWeights(), x.Finding
	e := w.MinusFrequency(w.Weigh(x.Readings), x.Readings.Directories)
	fmt.Fprintf(out, "%s:%d-%d = %s %s\n\n", fd.Path, fd.StartLine, fd.EndLine, purl.Name(fd.Origins[0].PURL), fd.Origins[0].Path)
	line := func(bits float64, format string, a ...any) {
		fmt.Fprintf(out, "%8.1f  %s\n", bits+0, fmt.Sprintf(format, a...)) // -0 is 0
	}
	line(e.Structure, "order of the tokens, less the cost of gaps; tokens: %d, runs: %d", fd.Tokens, len(x.Readings.Runs))
	line(e.Names, "unchanged names: %d of %d places", e.Unchanged, e.Identifiers)
	line(e.Map, "names renamed one to one: %d", len(e.Renames))
	line(e.Verbatim, "few names differ")
	line(e.Values, "equal literals: %d of %d", e.Equal, e.Literals)
	line(-e.Against, "places where a name breaks the map: %d", e.Inconsistent)
	line(-e.Unequal, "literals that differ: %d", e.Literals-e.Equal)
	line(-e.Edges, "ends within a line, brackets without their other half")
	line(-e.Brief, "tokens that are missing to %.0f, or to fewer if there is no gap", standing.BriefBelow)
	line(-e.Frequency, "directories of the baseline that have its k-grams: %.1f on average", math.Exp2(x.Readings.Directories))
	line(e.Bits, "this region: the sum, 0 at least")
	line(w.Supported(e.Bits, fd.Support)-e.Bits, "support: %g of the smaller of the %.1f bits above and the %.1f of another finding", w.Support, e.Bits, fd.Support)
	line(w.Supported(e.Bits, fd.Support), "in all")
	_, err := fmt.Fprintf(out, "%8.1f  needed in %d tokens against %d; the score is %.3f\n\n",
		w.Needed(examine.DefaultMinScore, x.Baseline, x.Tokens), x.Tokens, x.Baseline, fd.Score)
	return err
}
