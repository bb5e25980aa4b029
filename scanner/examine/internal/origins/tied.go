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

// certain is the score from which on a region is taken for a copy, whoever else has it: of the findings from 0.9 on that people read, 85 of 86
// are true. Helpers that compilers write score up to 0.85.
const certain = 0.9

// tied reports whether two files have a region from one source, and the target has it from there too, as far as can be seen. Without a
// tie, a text can be everybody's: tools write it, manuals recommend it.
//
// Code with a certain score is too long or too special for that and needs no tie, unless it is a script that builds a package or says that a
// program wrote it. Else both files must have one publisher, or name one holder. That shows where they have the region from; the target
// has it from there too if the score is certain, or if it has the same publisher or its head names the same holder. In a text without a
// grammar a holder says less, since the head itself may be all that the files share.
//
// Another file of the best origin's package names no further package, so it needs no tie.
func (dv *Divider) tied(best, o region.Occurrence, score float64) (bool, error) {
	if purl.Key(best.PURL) == purl.Key(o.PURL) || publisher(best) == publisher(o) && (score >= certain || dv.sameOwner(o)) {
		return true, nil
	}
	if err := region.ReadBoth(best.Proof, o.Proof); err != nil {
		return false, err
	}
	if score >= certain && dv.untemplated(best, o) {
		return true, nil
	}
	if dv.prose(o) {
		return false, nil
	}
	held, err := heldBoth(best.Doc, o.Doc)
	if err != nil || len(held) == 0 {
		return false, err
	}
	return score >= certain || dv.text.Language != lang.Words() && len(attribution.CommonHolders(held, dv.text.Statements().HeadHolders())) > 0, nil
}

// untemplated reports whether the region is code that no tool or manual gives to everybody, as far as the file says. Scripts of the shell
// mostly build or test a package, and are given away like settings. A person puts files into a vendored directory.
func (dv *Divider) untemplated(best, o region.Occurrence) bool {
	if dv.text.Language == lang.Words() {
		return false
	}
	return best.Vendored || o.Vendored || dv.text.Language.Family != "bash" && !ofProgram(o.Doc.Text())
}

// prose reports whether a region is a document for people. Its holder ties it to nobody: whoever builds with automake has its
// instructions, with their holder. Names do not tell documents from settings; in prose about a quarter of the tokens are signs, in settings
// half of them.
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
