package evidence

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/syntax/contract"
)

// Two implementations of one trait have equal signatures although nobody copied. So have two methods that override the same
// one. Only tokens that are in such signatures on both sides are left out. The bodies still count as evidence, except for those that
// only forward the call.

// fixed marks the matched tokens that are fixed by a trait or an interface that both sides implement. It returns nil if there are
// none.
func (j *Judge) fixed(p Proof) (fixed []bool) {
	if len(j.text.Contracts()) == 0 {
		return nil
	}
	n := 0
	for _, r := range p.Runs {
		for i := range r.Len {
			if j.sharesInterface(int(r.Target+i), int(r.Origin+i), p.Doc) {
				if fixed == nil {
					fixed = make([]bool, p.Tokens())
				}
				fixed[n] = true
			}
			n++
		}
	}
	return fixed
}

// sharesInterface reports whether two tokens are in signatures that one interface fixes, of two implementations.
func (j *Judge) sharesInterface(target, origin int, d *documents.Document) bool {
	here := contract.At(j.text.Contracts(), target)
	if here == nil {
		return false
	}
	there := contract.At(d.Contracts(), origin)
	return there != nil && contract.ShareInterface(here, there) && !j.sameType(here, there, d)
}

// rareType is the information that the name of a type needs. Common names such as Error or Iter have less.
const rareType = 3 // bits

// sameType reports whether a type with the same rare name implements the trait on both sides. Then it is one implementation. A type
// that is named like its trait does not count if the other side declares the trait itself.
func (j *Judge) sameType(here, there *contract.Signature, d *documents.Document) bool {
	if here.Type < 0 || there.Type < 0 {
		return false
	}
	name := j.text.TextAt(uint32(here.Type))
	if !bytes.Equal(name, d.TextAt(uint32(there.Type))) {
		return false
	}
	if here.Declares && slices.Contains(there.Of, string(name)) || there.Declares && slices.Contains(here.Of, string(name)) {
		return false
	}
	_, bits := j.text.Costs().Name(here.Type)
	return bits >= rareType
}
