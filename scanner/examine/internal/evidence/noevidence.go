package evidence

import (
	"path"
	"sort"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Two outputs of one generator are alike although nobody copied, so bits do not separate them from copies. In a sample of files of
// different owners (docs/SOURCES.md), copies of generated files kept 97 % of their names over half of a file. Shared parts of a
// template did not. Templates in source files have up to 600 tokens. Small outputs are mostly template. A copied output names the
// same input. If the names of the inputs differ, nobody copied. If only their directories differ, somebody may have copied the
// input and run the generator again: then both outputs agree in all names and nearly all tokens.
const (
	generatedTokens = 250
	generatedNames  = 0.96
	generatedShare  = 0.5
	templateTokens  = 1000
	remadeShare     = 0.9
)

// ofGenerator reports whether a match may be text that a generator writes for all its users.
func (j *Judge) ofGenerator(e score.Evidence, p Proof) bool {
	n := p.Tokens()
	if p.Doc.Generated() {
		share := float64(n) / float64(max(1, min(j.text.Unmasked, int(p.Doc.Tokens))))
		here, there := lang.GeneratedFrom(j.text.Text), lang.GeneratedFrom(p.Doc.Text())
		if here != "" && there != "" && here != there && (path.Base(here) != path.Base(there) || e.Share() < 1 || share < remadeShare) {
			return true
		}
		return n < generatedTokens || e.Share() < generatedNames || share < generatedShare
	}
	return n < templateTokens && !j.text.Rules.ScanGenerated && j.text.Generated()
}

// licenceShare is the least share of the matched words in the wording of a licence, for both sides to share only that licence.
const licenceShare = 0.8

// ofLicence reports whether a match of words only shows the text of a licence. The target may contain the text in a form that is not
// recognised, such as one with commands of RTF between the sentences.
func (j *Judge) ofLicence(e score.Evidence, p Proof) bool {
	if j.text.Language != lang.Words() || !j.text.Rules.Weights.Reaches(e.Bits, j.text.Needed(score.Enough)) {
		return false
	}
	spans, n := p.Doc.Licences(), 0
	for _, r := range p.Runs {
		for i := range r.Len {
			at := int(p.Doc.Stream.Span(r.Origin + i).Start)
			if k := sort.Search(len(spans), func(k int) bool { return spans[k].To > at }); k < len(spans) && spans[k].From <= at {
				n++
			}
		}
	}
	return float64(n) >= licenceShare*float64(p.Tokens())
}
