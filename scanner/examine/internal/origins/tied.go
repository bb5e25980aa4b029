package origins

import (
	"regexp"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
)

// certain is the score from which on a further origin in code needs no tie to the best origin. Helpers that compilers write score
// up to 0.85.
const certain = 0.9

// tied reports whether two files that have a region have it from one source, as far as can be seen: one publisher, or one holder
// that both name. Without a tie, a text can be everybody's: tools write it, manuals recommend it. Code with a high score is too long
// or too special for that, unless it says that a program wrote it; but a person puts files into a vendored directory.
func (sp *Splitter) tied(best, o region.Occurrence, score float64) (bool, error) {
	if publisher(best) == publisher(o) {
		return true, nil
	}
	if err := region.ReadBoth(best.Proof, o.Proof); err != nil {
		return false, err
	}
	if sp.Language != lang.Words() && score >= certain && (best.Vendored || o.Vendored || !ofProgram(o.Doc.Text())) {
		return true, nil
	}
	a, err := best.Doc.Holders()
	if err != nil || len(a) == 0 {
		return false, err
	}
	b, err := o.Doc.Holders()
	return slices.ContainsFunc(a, func(h string) bool {
		return slices.ContainsFunc(b, func(g string) bool { return attribution.SameHolder(h, g) })
	}), err
}

// program matches what programs say in the files that they write. A person's file may say it too, so it hides no finding.
var program = regexp.MustCompile(`(?i)\bauto(matically)?[- ]?(generated|created|written|produced)\b|\bgenerated (automatically )?(by|with|from|using)\b|\bdo not (edit|modify)\b`)

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
