// Package origins divides the documents that match a region into origins and part origins. An origin has most of the region and would
// be a finding by itself. A part origin does not, and changes neither licence nor verdict.
//
//	sametext.go   part origins: files of the best origin's package that follow its pattern, with other text
//	generated.go  part origins: files of other owners that a tool wrote, as it wrote the best origin
//	tied.go       part origins: files with a text that may be everybody's, since nothing ties them to the best origin
//	comment.go    the origins and part origins of a comment, by its words
//	cited.go      of the origins, the one that the target names becomes the first
package origins

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/verdict"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// furtherJudged is how many documents besides the best are judged for one region; --common raises it. Documents beyond the limit
// are part origins.
const furtherJudged = 64

// Divided is a region with its occurrences divided: its origins and its part origins.
type Divided struct {
	Candidate region.Candidate
	Origins   []region.Occurrence // each has most of the region and would be a finding by itself; the best comes first
	Parts     []Part              // the other files, one entry for all versions, most tokens first
	Cited     bool                // the first origin was not the best one: the target names its package
}

// Part is a file of a package that is a part origin of the region.
type Part struct {
	region.Occurrence
	Why string
}

// file is a file of a package; the occurrences in it are its versions.
type file struct {
	whole  []region.Occurrence // versions that have most of the region; the first is judged for all
	first  region.Occurrence   // of all versions
	origin bool
	why    string
}

// Divider divides the documents of a region into origins and part origins.
type Divider struct {
	text    *text.Examined
	judge   *evidence.Judge
	regions *region.Gatherer
}

// New returns a divider for the text that t currently holds.
func New(t *text.Examined, j *evidence.Judge, g *region.Gatherer) *Divider { return &Divider{t, j, g} }

// Divide divides the occurrences of each region. An origin would be a finding by itself, is more likely true than not, and has most of
// the tokens and bits of the best occurrence. One version of a file is judged for all versions, and equal documents are judged once.
func (dv *Divider) Divide(ctx context.Context, cs []region.Candidate) ([]Divided, error) {
	needed := dv.text.Needed(dv.text.Rules.MinScore)
	files, found := make([][]*file, len(cs)), make([]map[store.Hash]region.Judgement, len(cs))
	strong := make(region.Supports)
	for i, c := range cs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		files[i] = filesOf(c)
		strong.Add(c.Best.Doc.Key, c.Judgement().Judged(), needed)
		var err error
		if found[i], err = dv.judgeFiles(c, files[i]); err != nil {
			return nil, err
		}
		for _, j := range found[i] {
			strong.Add(j.Doc.Key, j.Judged(), needed)
		}
	}
	strong.Sort()
	out := make([]Divided, len(cs))
	for i, c := range cs {
		for _, f := range files[i] {
			if err := dv.decide(f, c, found[i], strong); err != nil {
				return nil, err
			}
		}
		out[i] = sorted(c, files[i])
		if err := dv.preferStated(&out[i], found[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// decide sets whether a file is an origin of a region. If it is not, it sets why.
func (dv *Divider) decide(f *file, c region.Candidate, judged map[store.Hash]region.Judgement, strong region.Supports) (err error) {
	if f.origin { // the best one
		f.setBits(c.Evidence)
	}
	if f.origin || len(f.whole) == 0 {
		return nil
	}
	j, ok := judged[f.whole[0].Doc.Hash]
	f.setBits(j.Evidence)
	if !ok {
		f.why = finding.PartUnjudged
		return nil
	}
	f.origin = dv.regions.Total(strong, j) >= dv.text.NeededBy(j.Evidence, dv.text.Rules.MinScore) && dv.text.Rules.Weights.Alike(j.Evidence.Bits, c.Evidence.Bits)
	if best := c.Occurrences[0]; f.origin && purl.Key(f.first.PURL) == purl.Key(best.PURL) {
		if f.origin, err = sameText(best.Proof, f.whole[0].Proof); err != nil {
			return err
		}
	}
	if !f.origin {
		f.why = finding.PartWeak
		return nil
	}
	if c.Within == nil && dv.score(strong, c.Judgement()) < likely { // the finding itself
		f.origin, f.why = false, finding.PartUnlikely
		return nil
	}
	f.why, err = dv.doubt(c.Occurrences[0], f.whole[0], dv.score(strong, j))
	f.origin = f.why == ""
	return err
}

// likely is the score from which a further origin is more likely a true copy than not. A less likely finding may be worth a
// look, but it names no further packages.
const likely = 0.5

// doubt returns why a file that has the bits of an origin is none, "" if it is one. score is that of the file as a finding by itself.
func (dv *Divider) doubt(best, o region.Occurrence, score float64) (why string, err error) {
	if score < likely {
		return finding.PartUnlikely, nil
	}
	generated, err := ofTool(best, o)
	if err != nil || generated {
		return finding.PartGenerated, err
	}
	tied, err := dv.tied(best, o, score)
	if err != nil || !tied {
		return finding.PartUntied, err
	}
	return "", nil
}

// score returns the score of a further origin as a finding by itself.
func (dv *Divider) score(strong region.Supports, j region.Judgement) float64 {
	support := strong.Support(j.Doc.Key, j.Judged())
	above := dv.text.Rules.Weights.Supported(j.Evidence.Bits, support) - dv.text.NeededBy(j.Evidence, score.Enough)
	s := dv.text.Score(dv.text.Traits(j.Evidence, above, support, j.Tokens()))
	if dv.text.IsTableInCode(j.Runs) {
		s = score.OfTable(s)
	}
	return s
}

// setBits records the bits that the file was judged to have.
func (f *file) setBits(ev score.Evidence) {
	for i := range f.whole {
		f.whole[i].Bits = ev.Bits
	}
	if len(f.whole) > 0 {
		f.first = f.whole[0]
	}
}

// filesOf groups the occurrences of a region, in their order.
func filesOf(c region.Candidate) []*file {
	type key struct{ pkg, path string }
	at := make(map[key]*file)
	var out []*file
	most := finding.SameRegion * float64(c.Best.Tokens())
	for i, p := range c.Occurrences {
		k := key{purl.Key(p.PURL), p.Path}
		f := at[k]
		if f == nil {
			f = &file{first: p, why: finding.PartSmall, origin: i == 0}
			at[k] = f
			out = append(out, f)
		}
		if i == 0 || float64(match.Shared(p.Runs, c.Best.Runs)) >= most {
			f.whole = append(f.whole, p)
		}
	}
	return out
}

// judgeFiles judges, by document, the first version of each file that has most of the region. Documents whose upper bound
// reaches the bits of the best come first, the oldest before the others, since the original is probably among them.
func (dv *Divider) judgeFiles(c region.Candidate, files []*file) (map[store.Hash]region.Judgement, error) {
	var ps []region.Occurrence
	for _, f := range files {
		if !f.origin && len(f.whole) > 0 {
			ps = append(ps, f.whole[0])
		}
	}
	like := func(p region.Occurrence) bool { return dv.text.Rules.Weights.Alike(p.Bound, c.Evidence.Bits) }
	slices.SortStableFunc(ps, func(a, b region.Occurrence) int {
		return cmp.Or(finding.CompareTrue(like(a), like(b)), region.CompareHome(a, b), versions.CompareAge(a.Released, b.Released))
	})
	out := make(map[store.Hash]region.Judgement)
	for _, p := range ps {
		if _, ok := out[p.Doc.Hash]; ok || len(out) == max(furtherJudged, dv.text.Rules.Common) {
			continue
		}
		ev, ok := c.Judged[p.Doc.Key]
		if !ok {
			var err error
			if ev, err = dv.judge.Weigh(p.Proof); err != nil {
				return nil, err
			}
		}
		out[p.Doc.Hash] = region.Judgement{Proof: p.Proof, Evidence: dv.text.MinusFrequency(ev, p.Match, dv.text.Needed(dv.text.Rules.MinScore))}
	}
	return out, nil
}

// sorted returns the occurrences of the files that are origins, the best first, and the other files.
func sorted(c region.Candidate, files []*file) Divided {
	out := Divided{Candidate: c}
	for _, f := range likestFirst(files) {
		if f.origin {
			out.Origins = append(out.Origins, f.whole...)
		} else {
			out.Parts = append(out.Parts, Part{f.first, f.why})
		}
	}
	for _, p := range c.Parts {
		out.Parts = append(out.Parts, Part{p, finding.PartSmall})
	}
	slices.SortStableFunc(out.Parts, func(a, b Part) int { return cmp.Compare(b.Tokens(), a.Tokens()) })
	return out
}

// likestFirst orders the files of each further package: own files before copies that the package keeps, then those with more bits. The
// first file of a package is the one that a report names. Files that follow one pattern are all origins, and only one is the text.
func likestFirst(files []*file) []*file {
	rank := make(map[string]int)
	for i, f := range files {
		if k := purl.Key(f.first.PURL); f.origin && rank[k] == 0 {
			rank[k] = i + 1
		}
	}
	out := slices.Clone(files)
	slices.SortStableFunc(out, func(a, b *file) int {
		if !a.origin || !b.origin {
			return finding.CompareTrue(a.origin, b.origin)
		}
		x, y := rank[purl.Key(a.first.PURL)], rank[purl.Key(b.first.PURL)]
		if x != y || x == 1 { // the best file stays first
			return cmp.Compare(x, y)
		}
		return cmp.Or(region.CompareHome(a.first, b.first), cmp.Compare(b.first.Bits, a.first.Bits))
	})
	return out
}

// Owners counts the owners of all files that would be a finding by themselves, with and without a tie to the best one.
func (d Divided) Owners() int {
	all := slices.Clone(d.Origins)
	for _, p := range d.Parts {
		if p.Why == finding.PartUntied {
			all = append(all, p.Occurrence)
		}
	}
	return region.Owners(all)
}

// Claimed returns the occurrences that a statement of the target may refer to: the origins, and the other files that have
// most of the region. Such a file needs fewer bits, because the statement is evidence too.
func (d Divided) Claimed() []Part {
	var out []Part
	for _, p := range d.Origins {
		out = append(out, Part{Occurrence: p})
	}
	return append(out, slices.DeleteFunc(slices.Clone(d.Parts), func(p Part) bool { return p.Why == finding.PartSmall })...)
}

// Names lists the packages that have part of the region.
func (d Divided) Names() map[string]bool {
	out := make(map[string]bool)
	for _, p := range d.Parts {
		out[verdict.FullName(p.PURL)] = true
	}
	return out
}
