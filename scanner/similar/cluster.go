package similar

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/sketch"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/pool"
)

// ClusterSchema is the version of the shape of Clusters.
const ClusterSchema = "git-provenance-clusters/1"

// Clusters are the groups of near-duplicates of a collection of files.
type Clusters struct {
	Schema      string          `json:"schema"`
	Tool        finding.Tool    `json:"tool"`
	K           int             `json:"k"`
	Sketch      int             `json:"sketch"`      // hashes kept of each file
	Resemblance float64         `json:"resemblance"` // two files are linked from this resemblance on
	Files       int             `json:"files"`
	Contents    int             `json:"contents"` // distinct
	Clusters    []Cluster       `json:"clusters"` // largest first
	Ledger      []finding.Entry `json:"ledger"`
}

// Cluster is files of which each resembles another of the cluster.
type Cluster struct {
	Representative string   `json:"representative"` // resembles the others most
	Members        []Member `json:"members"`        // by path
}

// Member is a file of a cluster.
type Member struct {
	Path        string  `json:"path"`
	Resemblance float64 `json:"resemblance"` // to the representative, as the sketches tell
	Equal       bool    `json:"equal"`       // same content as the representative
}

// sketched is a content with the files that have it. A million of them are common, so it is small.
type sketched struct {
	hash  store.Hash
	first string // path of the file that was read first
	more  int32  // 1 + the index in docs.more of the paths of the others; 0: there are none
	read  int32  // index of its result in docs.read
}

// docs are the contents of a collection, by number.
type docs struct {
	all  []sketched
	more [][]string
	read []sketchOf
}

// of returns the result of reading a content.
func (d *docs) of(i int) *sketchOf { return &d.read[d.all[i].read] }

// paths lists the files of a content.
func (d *docs) paths(i int) []string {
	out := []string{d.all[i].first}
	if m := d.all[i].more; m > 0 {
		out = append(out, d.more[m-1]...)
	}
	return out
}

// settle orders the contents by their hashes, and the paths of each. So a content's position depends on the content alone, and clusters
// do not depend on the order of reading.
func (d *docs) settle() {
	slices.SortFunc(d.all, func(a, b sketched) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	for i := range d.all {
		if k := &d.all[i]; k.more > 0 {
			paths := d.paths(i)
			slices.Sort(paths)
			k.first, d.more[k.more-1] = paths[0], paths[1:]
		}
	}
}

// reading is a content under a file name, which decides how it is read.
type reading struct {
	hash store.Hash
	base string
}

// sketchOf is the result of reading a content.
type sketchOf struct {
	sketch   []uint64
	language *lang.Language // of the sketch
	entry    *finding.Entry // why there is no sketch, or a sketch of words only
}

// better compares two readings of a content under two file names. A sketch is better than none, and a sketch by a grammar is
// better than one of words. So the order of the names does not matter.
func (s sketchOf) better(o sketchOf) bool {
	rank := func(s sketchOf) int {
		switch {
		case s.sketch == nil:
			return 2
		case s.language == lang.Words():
			return 1
		}
		return 0
	}
	name := func(s sketchOf) string {
		switch {
		case s.language != nil:
			return s.language.Name
		case s.entry != nil:
			return string(s.entry.Reason)
		}
		return ""
	}
	return cmp.Or(cmp.Compare(rank(s), rank(o)), cmp.Compare(name(s), name(o))) < 0
}

// ClusterOptions say how files are clustered.
type ClusterOptions struct {
	K           int
	Sketch      int
	Resemblance float64
	Workers     int
	Order       sketch.Order
	Version     string
	Reading     func(files int)
}

// ClusterOf reads the files of parts and groups files that resemble each other. It keeps sketches only; each content is freed
// right after reading.
func ClusterOf(ctx context.Context, parts []Part, o ClusterOptions) (*Clusters, error) {
	c := &Clusters{Schema: ClusterSchema, Tool: finding.Tool{Version: o.Version}, K: o.K, Sketch: o.Sketch, Resemblance: o.Resemblance, Clusters: []Cluster{}, Ledger: []finding.Entry{}}
	d, err := c.read(ctx, parts, o)
	if err != nil {
		return nil, err
	}
	d.settle()
	sketches := make([][]uint64, len(d.all))
	for i, k := range d.all {
		of := d.of(i)
		sketches[i] = of.sketch
		if of.entry == nil {
			continue
		}
		paths := []string{k.first}
		if of.entry.Reason == lang.Empty { // other files of one content are a cluster
			paths = d.paths(i)
		}
		for _, p := range paths {
			e := *of.entry
			e.Path = p
			c.Ledger = append(c.Ledger, e)
		}
	}
	c.Contents = len(d.all)
	in := make([]bool, len(d.all))
	for _, group := range sketch.Clusters(sketches, o.Sketch, o.Resemblance) {
		for _, i := range group {
			in[i] = true
		}
		c.Clusters = append(c.Clusters, clusterOf(d, group, o.Sketch))
	}
	c.alone(d, in, o)
	slices.SortFunc(c.Clusters, func(a, b Cluster) int {
		return cmp.Or(cmp.Compare(len(b.Members), len(a.Members)), cmp.Compare(a.Representative, b.Representative))
	})
	slices.SortFunc(c.Ledger, func(a, b finding.Entry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	return c, nil
}

// alone adds the clusters whose files all have one content that resembles no other content. in marks the contents of other clusters.
// Empty files are no cluster.
func (c *Clusters) alone(d *docs, in []bool, o ClusterOptions) {
	for i, k := range d.all {
		e := d.of(i).entry
		empty := e != nil && e.Reason == lang.Empty
		if k.more > 0 && !empty && !in[i] {
			c.Clusters = append(c.Clusters, clusterOf(d, []int{i}, o.Sketch))
		}
	}
}

// tried is how many members are tried as representative.
const tried = 32

// clusterOf names the member that resembles the others most; of equals, the one whose
// path is first.
func clusterOf(d *docs, group []int, s int) Cluster {
	best, most, members := group[0], -1.0, 0
	slices.SortFunc(group, func(a, b int) int { return cmp.Compare(d.all[a].first, d.all[b].first) })
	for _, i := range group[:min(tried, len(group))] {
		sum := 0.0
		for _, j := range group[:min(tried, len(group))] {
			sum += sketch.Resemblance(d.of(i).sketch, d.of(j).sketch, s)
		}
		if sum > most {
			best, most = i, sum
		}
	}
	for _, i := range group {
		if members++; d.all[i].more > 0 {
			members += len(d.more[d.all[i].more-1])
		}
	}
	c := Cluster{Representative: d.all[best].first, Members: make([]Member, 0, members)}
	for _, i := range group {
		r := finding.Round(sketch.Resemblance(d.of(i).sketch, d.of(best).sketch, s))
		for _, p := range d.paths(i) {
			c.Members = append(c.Members, Member{p, r, i == best})
		}
	}
	slices.SortFunc(c.Members, func(a, b Member) int { return cmp.Compare(a.Path, b.Path) })
	return c
}

// unread is a content on its way to a worker, which frees the data.
type unread struct {
	number int32
	path   string
	data   []byte
}

// gathering is one run of read. The feed alone uses what it meets, and the results are kept apart until all are there.
type gathering struct {
	c    *Clusters
	o    ClusterOptions
	docs docs

	begins map[uint64]int32 // 1 + the content that was met last, by the first bytes of its hash
	next   []int32          // by content: 1 + the one before it whose hash begins alike; 0: there is none
	bases  map[reading]bool // readings under another file name than the first
	made   []sketchOf       // by content
	equal  map[uint64][]uint64
}

// read sketches every distinct content.
func (c *Clusters) read(ctx context.Context, parts []Part, o ClusterOptions) (*docs, error) {
	g := &gathering{c: c, o: o, begins: make(map[uint64]int32), bases: make(map[reading]bool), equal: make(map[uint64][]uint64)}
	feed := func(ctx context.Context, send func(*unread, bool) error) error {
		for _, p := range parts {
			err := p.Package.Walk(ctx, source.Limits{}, func(file string, data []byte) error {
				c.Files++
				if o.Reading != nil {
					o.Reading(c.Files)
				}
				if n, fresh := g.meet(store.Sum(data), p.called(file)); fresh {
					return send(&unread{n, file, data}, true)
				}
				return nil
			}, func(file, reason, detail string) {
				c.Ledger = append(c.Ledger, finding.Entry{Path: p.called(file), Reason: lang.Reason(reason), Detail: detail})
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	p := pool.Pool[*sketcher]{Workers: o.Workers, New: func() *sketcher { return &sketcher{o: o, tz: lang.NewTokenizer(lang.Limits{})} }}
	err := pool.Run(ctx, p, feed, func(_ context.Context, k *sketcher, u *unread) (made sketchOf, err error) {
		made = k.sketch(u.path, u.data)
		u.data = nil
		return made, nil
	}, func(u *unread, made sketchOf) error {
		g.take(int(u.number), made)
		return nil
	})
	g.docs.read = g.made
	return &g.docs, err
}

// meet notes a file. It returns the number of its content, and whether the content has to be read under this file's name.
func (g *gathering) meet(h store.Hash, name string) (n int32, fresh bool) {
	d, begin := &g.docs, binary.LittleEndian.Uint64(h[:])
	for n = g.begins[begin]; n > 0 && d.all[n-1].hash != h; {
		n = g.next[n-1]
	}
	if n == 0 {
		d.all, g.next = append(d.all, sketched{hash: h, first: name, read: int32(len(d.all))}), append(g.next, g.begins[begin])
		g.begins[begin] = int32(len(d.all))
		return int32(len(d.all)) - 1, true
	}
	k := &d.all[n-1]
	if k.more == 0 {
		d.more = append(d.more, nil)
		k.more = int32(len(d.more))
	}
	d.more[k.more-1] = append(d.more[k.more-1], name)
	r := reading{h, path.Base(name)}
	if r.base == path.Base(k.first) || g.bases[r] {
		return n - 1, false
	}
	g.bases[r] = true
	return n - 1, true
}

// take keeps the better one of the readings of a content. Contents of equal sketches share one in memory.
func (g *gathering) take(n int, made sketchOf) {
	if len(made.sketch) > 0 {
		key := uint64(len(made.sketch))
		for _, x := range made.sketch {
			key = (key ^ x) * 0x9E3779B97F4A7C15
			key ^= key >> 29
		}
		if have, ok := g.equal[key]; !ok {
			g.equal[key] = made.sketch
		} else if slices.Equal(have, made.sketch) {
			made.sketch = have
		}
	}
	if n == len(g.made) { // the pool keeps the order of the feed, in which contents are numbered
		g.made = append(g.made, made)
	} else if made.better(g.made[n]) {
		g.made[n] = made
	}
}

// sketcher makes sketches and reuses its buffers.
type sketcher struct {
	o      ClusterOptions
	tz     *lang.Tokenizer
	values []uint64
	grams  []uint64
	set    []uint64
}

func (k *sketcher) Close() { k.tz.Close() }

func (k *sketcher) sketch(path string, data []byte) (made sketchOf) {
	note := func(r lang.Reason, detail string) { made.entry = &finding.Entry{Reason: r, Detail: detail} }
	det := lang.Detect(path, data)
	if det.Language == nil || det.Skip != "" && !det.Generated {
		note(det.Skip, "")
		return made
	}
	toks, l, limit, err := k.tz.TokenizeOrWords(det.Language, det.Text)
	if err != nil {
		note(lang.Budget, err.Error())
		return made
	}
	if limit != nil {
		note(limit.Reason, limit.Detail+"; read as words")
	}
	if len(toks.Tokens) < k.o.K {
		note(baseline.ReasonTooShort, "fewer tokens than a k-gram has")
		return made
	}
	k.values = baseline.Values(k.values[:0], l, toks.Tokens)
	k.grams = fingerprint.KGrams(k.grams[:0], k.values, k.o.K)
	k.set = k.o.Order.Set(k.set[:0], k.grams)
	made.sketch, made.language = slices.Clone(sketch.Min(k.set, k.o.Sketch)), l
	return made
}
