package origins

import (
	"regexp"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
)

// certain is the lowest score of a region that counts as a copy whoever else has it. Of the findings with this score that people
// read, 85 of 86 are true. Helpers that compilers write score up to 0.85.
const certain = 0.9

// tied reports whether two files, and the target, seem to have a region from one source. Without such a tie the text may be
// everybody's: tools write it, manuals recommend it. A file is tied to the best origin if one of these holds:
//
//   - It is another file of the best origin's package. Then it names no further package.
//   - Both have one publisher, and the score is certain or the target has that publisher too. If the target and the file are code that a
//     program says it wrote, no score is certain: all that they share may be the program's.
//   - The score is certain, and the region is code that no tool or manual gives to everybody (untemplated).
//   - The heads of both name one holder, and the score is certain or the head of the target names that holder too. In a
//     text without a grammar only the certain score counts: the head itself may be all that the files share.
//
// A holder does not tie documents for people (prose).
func (dv *Divider) tied(best, o region.Occurrence, score float64) (bool, error) {
	if purl.Key(best.PURL) == purl.Key(o.PURL) {
		return true, nil
	}
	published := publisher(best) == publisher(o)
	if published && dv.sameOwner(o) {
		return true, nil
	}
	if err := region.ReadBoth(best.Proof, o.Proof); err != nil {
		return false, err
	}
	sure := score >= certain && !dv.outputs(best, o)
	if published && sure || score >= certain && dv.untemplated(best, o) {
		return true, nil
	}
	if dv.prose(o) {
		return false, nil
	}
	held, err := heldBoth(best.Doc, o.Doc)
	if err != nil || len(held) == 0 {
		return false, err
	}
	return sure || dv.text.Language != lang.Words() && len(attribution.CommonHolders(held, dv.text.Statements().HeadHolders())) > 0, nil
}

// untemplated reports whether the region is code that no tool or manual gives to everybody, as far as the file says. Scripts of the shell
// mostly build or test a package, and are given away like settings. A person puts files into a vendored directory.
func (dv *Divider) untemplated(best, o region.Occurrence) bool {
	if dv.text.Language == lang.Words() {
		return false
	}
	return best.Vendored || o.Vendored || dv.text.Language.Family != "bash" && !ofProgram(o.Doc.Text())
}

// outputs reports whether the target and a file are code and say that a program wrote them, and nobody put them into a vendored directory.
// In texts a person wrote the template, such as the README that an organisation gives its projects.
func (dv *Divider) outputs(best, o region.Occurrence) bool {
	return dv.text.Language != lang.Words() && !best.Vendored && !o.Vendored && !region.Vendored(dv.text.Path) && ofProgram(dv.text.Text) && ofProgram(o.Doc.Text())
}

// prose reports whether a region is a document for people. Its holder ties it to nobody: each project that is built with automake
// has the instructions of automake, with their holder. The share of signs tells prose from settings: about a quarter of the tokens
// of prose are signs, and half of those of settings.
func (dv *Divider) prose(o region.Occurrence) bool {
	if !dv.text.Plain() {
		return false
	}
	signs, all := 0, 0
	for _, r := range o.Runs {
		for _, t := range dv.text.Tokens[r.Target:r.TargetEnd()] {
			if all++; t.Class == lang.Keyword { // in a text without a grammar: neither a word nor a number
				signs++
			}
		}
	}
	return 3*signs < all
}

// sameOwner reports whether the publisher of a package publishes the target too.
func (dv *Divider) sameOwner(o region.Occurrence) bool {
	return dv.text.Rules.Self.SameOwner(o.PURL) || dv.text.Rules.Self.SameOwnerOfRepository(o.Repository)
}

// heldBoth lists the holders that the heads of both documents name.
func heldBoth(a, b *documents.Document) ([]string, error) {
	x, err := a.Holders()
	if err != nil || len(x) == 0 {
		return nil, err
	}
	y, err := b.Holders()
	return attribution.CommonHolders(x, y), err
}

// program matches what programs say in the files that they write: words, or #line with a file name. A remark such as "# line 2 is a sum" has
// no file name. A person's file may say it too, so it hides no finding.
var program = regexp.MustCompile(`(?im)^[ \t]*#[ \t]*line[ \t]+[0-9]+[ \t]+"|\bauto(matically)?[- ]?(generated|created|written|produced)\b|\bgenerated (automatically )?(by|with|from|using)\b|\bdo not (edit|modify)\b`)

// ofProgram reports whether the start of a text says that a program wrote it.
func ofProgram(text []byte) bool { return program.Match(text[:min(len(text), programHead)]) }

// programHead is how far a text is read for it, in bytes.
const programHead = 4096

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
