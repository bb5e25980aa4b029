package origins

import (
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// manyPublishers is how many publishers, besides the target's, have a text at one path if it is everybody's. In baselines of a thousand
// packages, an author's own texts are in the packages of up to four.
const manyPublishers = 5

// excludeEverybodys makes part origins of the files, besides the best one, whose text is everybody's: it is no code, names no holder, and many
// publishers and the target have it at one path. Tools give such texts to all projects. Code without a holder is at one path in all forks
// of a project too.
func (sp *Splitter) excludeEverybodys(files []*file) error {
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
