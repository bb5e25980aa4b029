package similar

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/sketch"
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

// sketched is a content with the files that have it.
type sketched struct {
	hash  store.Hash
	paths []string
	read  bool
	sketchOf
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
	Limits      lang.Limits
	Source      source.Limits
	Version     string
	Reading     func(files int)
}

// ClusterOf reads the files of parts and groups files that resemble each other. It keeps sketches only; each content is freed
// right after reading.
func ClusterOf(ctx context.Context, parts []Part, o ClusterOptions) (*Clusters, error) {
	c := &Clusters{Schema: ClusterSchema, Tool: finding.Tool{Version: o.Version}, K: o.K, Sketch: o.Sketch, Resemblance: o.Resemblance, Clusters: []Cluster{}, Ledger: []finding.Entry{}}
	docs, err := c.read(ctx, parts, o)
	if err != nil {
		return nil, err
	}
	// the position of a content depends on the content alone, so clusters do not depend on the order of reading
	slices.SortFunc(docs, func(a, b *sketched) int { return cmp.Compare(a.hash.String(), b.hash.String()) })
	var sketches [][]uint64
	for _, d := range docs {
		slices.Sort(d.paths)
		sketches = append(sketches, d.sketch)
		if d.entry != nil {
			e := *d.entry
			e.Path = d.paths[0]
			c.Ledger = append(c.Ledger, e)
		}
	}
	c.Contents = len(docs)
	for _, group := range sketch.Clusters(sketches, o.Sketch, o.Resemblance) {
		c.Clusters = append(c.Clusters, clusterOf(docs, group, o.Sketch))
	}
	c.alone(docs, o)
	slices.SortFunc(c.Clusters, func(a, b Cluster) int {
		return cmp.Or(cmp.Compare(len(b.Members), len(a.Members)), cmp.Compare(a.Representative, b.Representative))
	})
	slices.SortFunc(c.Ledger, func(a, b finding.Entry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	return c, nil
}

// alone adds the clusters whose files all have one content that resembles no other content.
// Empty files are no cluster.
func (c *Clusters) alone(docs []*sketched, o ClusterOptions) {
	in := make(map[string]bool)
	for _, k := range c.Clusters {
		for _, m := range k.Members {
			in[m.Path] = true
		}
	}
	for i, d := range docs {
		empty := d.entry != nil && d.entry.Reason == lang.Empty
		if len(d.paths) > 1 && !empty && !in[d.paths[0]] {
			c.Clusters = append(c.Clusters, clusterOf(docs, []int{i}, o.Sketch))
		}
	}
}

// tried is how many members are tried as representative.
const tried = 32

// clusterOf names the member that resembles the others most; of equals, the one whose
// path is first.
func clusterOf(docs []*sketched, group []int, s int) Cluster {
	best, most := group[0], -1.0
	slices.SortFunc(group, func(a, b int) int { return cmp.Compare(docs[a].paths[0], docs[b].paths[0]) })
	for _, i := range group[:min(tried, len(group))] {
		sum := 0.0
		for _, j := range group[:min(tried, len(group))] {
			sum += sketch.Resemblance(docs[i].sketch, docs[j].sketch, s)
		}
		if sum > most {
			best, most = i, sum
		}
	}
	c := Cluster{Representative: docs[best].paths[0]}
	for _, i := range group {
		r := finding.Round(sketch.Resemblance(docs[i].sketch, docs[best].sketch, s))
		for _, p := range docs[i].paths {
			c.Members = append(c.Members, Member{p, r, i == best})
		}
	}
	slices.SortFunc(c.Members, func(a, b Member) int { return cmp.Compare(a.Path, b.Path) })
	return c
}

// unread is a content on its way to a worker, which frees the data.
type unread struct {
	d    *sketched
	path string
	data []byte
}

// read sketches every distinct content.
func (c *Clusters) read(ctx context.Context, parts []Part, o ClusterOptions) (docs []*sketched, err error) {
	byHash, seen := make(map[store.Hash]*sketched), make(map[reading]bool)
	feed := func(ctx context.Context, send func(*unread, bool) error) error {
		for _, p := range parts {
			err := p.Package.Walk(ctx, o.Source, func(file string, data []byte) error {
				c.Files++
				if o.Reading != nil {
					o.Reading(c.Files)
				}
				h, name := store.Sum(data), shown(p.Name, file)
				d := byHash[h]
				if d == nil {
					d = &sketched{hash: h}
					byHash[h], docs = d, append(docs, d)
				}
				d.paths = append(d.paths, name)
				r := reading{h, path.Base(file)}
				if seen[r] {
					return nil
				}
				seen[r] = true
				return send(&unread{d, file, data}, true)
			}, func(file, reason, detail string) {
				c.Ledger = append(c.Ledger, finding.Entry{Path: shown(p.Name, file), Reason: lang.Reason(reason), Detail: detail})
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	p := pool.Pool[*sketcher]{Workers: o.Workers, New: func() *sketcher { return &sketcher{o: o, tz: lang.NewTokenizer(o.Limits)} }}
	err = pool.Run(ctx, p, feed, func(_ context.Context, k *sketcher, u *unread) (made sketchOf, err error) {
		made = k.sketch(u.path, u.data)
		u.data = nil
		return made, nil
	}, func(u *unread, made sketchOf) error {
		if !u.d.read || made.better(u.d.sketchOf) {
			u.d.sketchOf, u.d.read = made, true
		}
		return nil
	})
	return docs, err
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
