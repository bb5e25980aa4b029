package origins

import (
	"bytes"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
)

// ofTool reports whether a tool made two files of different owners from different inputs: both say that a program wrote them, and
// their tokens differ. Mostly the tool is then their common source; a fork that generates its files again is an exception. If all
// tokens are equal, one is mostly a fork's copy of the other. Files in vendored directories were put there by a person.
func ofTool(a, b region.Occurrence) (bool, error) {
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
