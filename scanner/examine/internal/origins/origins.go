// Package origins divides the documents that match a region into origins and part origins. An origin has most of the region and
// would be a finding by itself. A part origin does not, and changes neither licence nor verdict.
package origins

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/verdict"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// furtherJudged is how many documents besides the best are judged for one region; --common raises it. Documents beyond the limit
// are part origins.
const furtherJudged = 64

// Split is a region with its occurrences divided: its origins and its part origins.
type Split struct {
	Candidate region.Candidate
	Origins   []region.Occurrence // each has most of the region and would be a finding by itself; the best comes first
	Parts     []Part              // the other files, one entry for all versions, most tokens first
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

// Splitter divides the documents of a region into origins and part origins.
type Splitter struct{ *region.Gatherer }

// Split divides the occurrences of each region. An origin would be a finding by itself, is more likely true than not, and has most of
// the tokens and bits of the best occurrence. One version of a file is judged for all versions, and equal documents are judged once.
func (sp *Splitter) Split(ctx context.Context, cs []region.Candidate) ([]Split, error) {
	needed := sp.Needed(sp.MinScore)
	files, found := make([][]*file, len(cs)), make([]map[store.Hash]region.Judgement, len(cs))
	strong := make(region.Supports)
	for i, c := range cs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		files[i] = filesOf(c)
		strong.Add(c.Best.Doc.Key, c.Judgement().Judged(), needed)
		var err error
		if found[i], err = sp.judgeFiles(c, files[i]); err != nil {
			return nil, err
		}
		for _, j := range found[i] {
			strong.Add(j.Doc.Key, j.Judged(), needed)
		}
	}
	strong.Sort()
	out := make([]Split, len(cs))
	for i, c := range cs {
		for _, f := range files[i] {
			if err := sp.decide(f, c, found[i], strong); err != nil {
				return nil, err
			}
		}
		if err := sp.everybodys(files[i]); err != nil {
			return nil, err
		}
		out[i] = sorted(c, files[i])
	}
	return out, nil
}

// decide sets whether a file is an origin of a region. If it is not, it sets why.
func (sp *Splitter) decide(f *file, c region.Candidate, judged map[store.Hash]region.Judgement, strong region.Supports) (err error) {
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
	f.origin = sp.Total(strong, j) >= sp.NeededBy(j.Evidence, sp.MinScore) && sp.Weights.Alike(j.Evidence.Bits, c.Evidence.Bits)
	if best := c.Occurrences[0]; f.origin && purl.Key(f.first.PURL) == purl.Key(best.PURL) {
		if f.origin, err = sp.sameText(best.Proof, f.whole[0].Proof); err != nil {
			return err
		}
	}
	switch {
	case !f.origin:
		f.why = finding.PartWeak
	case !sp.sure(strong, j):
		f.origin, f.why = false, finding.PartUnlikely
	default:
		ofTool, err := sp.ofTool(c.Occurrences[0], f.whole[0])
		if err != nil {
			return err
		}
		if ofTool {
			f.origin, f.why = false, finding.PartGenerated
		}
	}
	return nil
}

// ofTool reports whether two files of different owners are outputs of a tool from different inputs. Both say that a program wrote
// them, and not all their tokens are equal. The tool is mostly their common source; a fork that generates its files again is an
// exception. Equal outputs were mostly copied, by forks; and a person puts files into a vendored directory.
func (sp *Splitter) ofTool(a, b region.Occurrence) (bool, error) {
	if a.Vendored || b.Vendored || sameOwner(a.PURL, b.PURL) {
		return false, nil
	}
	if err := region.ReadBoth(a.Proof, b.Proof); err != nil || !a.Doc.Generated() || !b.Doc.Generated() {
		return false, err
	}
	n := a.Doc.Stream.Len()
	if n != b.Doc.Stream.Len() {
		return true, nil
	}
	for i := range n {
		if !bytes.Equal(a.Doc.TextAt(uint32(i)), b.Doc.TextAt(uint32(i))) {
			return true, nil
		}
	}
	return false, nil
}

// sameOwner reports whether two packages have one publisher.
func sameOwner(a, b string) bool {
	owner := purl.Owner(a)
	return purl.Key(a) == purl.Key(b) || owner == purl.Owner(b) && !purl.Shared(owner)
}

// manyPublishers is how many publishers, besides the target's, have a text at one path if it is everybody's. In baselines of a thousand
// packages, an author's own texts are in the packages of up to four.
const manyPublishers = 5

// everybodys makes part origins of the files, besides the best one, whose text is everybody's: it is no code, names no holder, and many
// publishers and the target have it at one path. Tools give such texts to all projects. Code without a holder is at one path in all forks
// of a project too.
func (sp *Splitter) everybodys(files []*file) error {
	if sp.Language != lang.Words() {
		return nil
	}
	publishers := make(map[string]bool)
	for _, f := range files {
		if f.origin && sp.sameRole(f.first.Path) {
			publishers[publisher(f.first)] = true
		}
	}
	if len(publishers) < manyPublishers || region.Vendored(sp.Path) {
		return nil
	}
	ownedBy := make(map[store.Hash]bool)
	for _, f := range files[1:] {
		if !f.origin || !sp.sameRole(f.first.Path) {
			continue
		}
		owned, ok := ownedBy[f.first.Doc.Hash]
		if !ok {
			var err error
			if owned, err = sp.owned(f.first); err != nil {
				return err
			}
			ownedBy[f.first.Doc.Hash] = owned
		}
		if !owned {
			f.origin, f.why = false, finding.PartEverybodys
		}
	}
	return nil
}

// sameRole reports whether a file of a package has the path that the target's has. The target may be a folder of what is scanned.
func (sp *Splitter) sameRole(path string) bool { return strings.HasSuffix("/"+sp.Path, "/"+path) }

// owned reports whether a file that is no code names the holder of its copyright, or a licence of its own.
func (sp *Splitter) owned(o region.Occurrence) (bool, error) {
	if from := o.LicenseFrom.Kind; from == license.FromTag || from == license.FromHeader {
		return true, nil
	}
	text, err := o.Doc.Read()
	return err == nil && len(attribution.Holders(attribution.Scan(text, true))) > 0, err
}

// publisher returns the account of the repository that a package names, or else its owner. Packages of a distribution have each an owner
// of their own.
func publisher(o region.Occurrence) string {
	if host, name, ok := purl.Repository(o.Repository); ok {
		account, _, _ := strings.Cut(name, "/")
		return strings.ToLower(host + "/" + account)
	}
	if owner := purl.Owner(o.PURL); !purl.Shared(owner) {
		return owner
	}
	return purl.Key(o.PURL)
}

// likely is the score from which on a further origin is more likely a true copy than not.
const likely = 0.5

// sure reports whether a further origin, as a finding by itself, would be more likely true than not. A less likely
// finding may be worth a look, but it names no further packages.
func (sp *Splitter) sure(strong region.Supports, j region.Judgement) bool {
	support := strong.Support(j.Doc.Key, j.Judged(), sp.Weights)
	above := sp.Weights.Supported(j.Evidence.Bits, support) - sp.NeededBy(j.Evidence, score.Enough)
	return sp.Likely.Score(j.Evidence.Traits(above, support)) >= likely
}

// sameText reports whether file b has the text that a shares with the target: most of its stretches of 20 tokens, names and
// values included. If all names of the target are new, files of one package that follow one pattern match the target alike.
func (sp *Splitter) sameText(a, b evidence.Proof) (bool, error) {
	if a.Doc.Key == b.Doc.Key {
		return true, nil
	}
	if err := region.ReadBoth(a, b); err != nil {
		return false, err
	}
	equal, all := 0, 0
	for _, r := range a.Runs {
		all += max(0, int(r.Len)-sameStretch+1)
	}
	for _, c := range match.InBoth(a.Runs, b.Runs) {
		same := 0
		for i := range c.Len {
			if same++; !bytes.Equal(a.Doc.TextAt(c.A+i), b.Doc.TextAt(c.B+i)) {
				same = 0
			}
			if same >= sameStretch {
				equal++
			}
		}
	}
	return 5*equal >= 3*all, nil
}

// sameStretch is how many consecutive tokens with equal values show the same text.
const sameStretch = 20

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
func (sp *Splitter) judgeFiles(c region.Candidate, files []*file) (map[store.Hash]region.Judgement, error) {
	var ps []region.Occurrence
	for _, f := range files {
		if !f.origin && len(f.whole) > 0 {
			ps = append(ps, f.whole[0])
		}
	}
	like := func(p region.Occurrence) bool { return sp.Weights.Alike(p.Bound, c.Evidence.Bits) }
	slices.SortStableFunc(ps, func(a, b region.Occurrence) int {
		return cmp.Or(finding.CompareTrue(like(a), like(b)), region.CompareHome(a, b), versions.CompareAge(a.Released, b.Released))
	})
	out := make(map[store.Hash]region.Judgement)
	for _, p := range ps {
		if _, ok := out[p.Doc.Hash]; ok || len(out) == max(furtherJudged, sp.Common) {
			continue
		}
		ev, ok := c.Judged[p.Doc.Key]
		if !ok {
			var err error
			if ev, err = sp.Weigh(p.Proof); err != nil {
				return nil, err
			}
		}
		out[p.Doc.Hash] = region.Judgement{Proof: p.Proof, Evidence: sp.MinusFrequency(ev, p.Match, sp.Needed(sp.MinScore))}
	}
	return out, nil
}

// sorted returns the occurrences of the files that are origins, the best first, and the other files.
func sorted(c region.Candidate, files []*file) Split {
	out := Split{Candidate: c}
	for _, f := range files {
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

// Claimed returns the occurrences that a statement of the target may refer to: the origins, and the other files that have
// most of the region. Such a file needs fewer bits, because the statement is evidence too.
func (s Split) Claimed() []Part {
	var out []Part
	for _, p := range s.Origins {
		out = append(out, Part{Occurrence: p})
	}
	return append(out, slices.DeleteFunc(slices.Clone(s.Parts), func(p Part) bool { return p.Why == finding.PartSmall })...)
}

// Names lists the packages that have part of the region.
func (s Split) Names() map[string]bool {
	out := make(map[string]bool)
	for _, p := range s.Parts {
		out[verdict.FullName(p.PURL)] = true
	}
	return out
}
